package xmldoc

import (
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// Field writes the value of a custom field; found is whether there is one.
func Field(w *answer.Writer, f store.Field, text string, found bool) {
	w.Text("field", text, answer.String("name", f.Name), answer.String("type", f.Type), answer.TrueFalse("null", !found))
}
