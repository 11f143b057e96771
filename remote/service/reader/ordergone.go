package reader

import (
	"net/http"
	"strings"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
)

// gone answers an order for a paper that is not at its address. A browser that sent the form itself gets a
// page in the language that the form names: nothing of a hidden paper must determine the answer. The
// reader's script has its own words.
func (o *ordering) gone(w http.ResponseWriter, path string) {
	if o.r.Method != http.MethodPost || !strings.Contains(o.r.Header.Get("Accept"), "text/html") {
		answer.NotFound(w)
		return
	}
	if o.form == nil {
		form, err := readForm(w, o.r, orderBytes)
		if err != nil {
			answer.NotFound(w)
			return
		}
		o.form = form
	}
	o.frame = view.Frame{Language: o.form.Get("language"), Depth: strings.Count(path, "/") - 1}
	o.query, o.shop = "", nil
	o.answer(w, http.StatusNotFound, view.Receipt{Refused: o.frame.Words().Gone})
}
