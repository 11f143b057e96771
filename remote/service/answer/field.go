package answer

import (
	"paperfs/remote/service/store"
)

// Field writes the value of a custom field; found is whether there is one.
func Field(w *Writer, f store.Field, text string, found bool) {
	w.Text("field", text, String("name", f.Name), String("type", f.Type), TrueFalse("null", !found))
}
