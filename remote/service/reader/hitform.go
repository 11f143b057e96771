package reader

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/rules"
)

// Bounds of one message.
const (
	hitBytes = 2 << 10
	hitPages = 100 // the same as most in hit.js
)

// hitForm is a message that reports page views.
type hitForm struct {
	pages []int
	visit bool // the message begins a visit
}

// parseHit reads a form. It returns false for a form that a paper's page cannot have sent.
func parseHit(form url.Values) (h hitForm, ok bool) {
	for text := range strings.SplitSeq(form.Get("pages"), ",") {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 || len(h.pages) == hitPages {
			return hitForm{}, false
		}
		h.pages = append(h.pages, int(n))
	}
	if h.visit, ok = rules.Bool(form.Get("new"), false); !ok {
		return hitForm{}, false
	}
	return h, true
}

// among removes pages that the paper does not have. It may have fewer pages than when the
// reader opened it.
func (h hitForm) among(total int) hitForm {
	return hitForm{slices.DeleteFunc(h.pages, func(n int) bool { return n > total }), h.visit}
}
