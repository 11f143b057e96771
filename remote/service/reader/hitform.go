package reader

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Bounds of one message.
const (
	hitBytes = 16 << 10 // three times hitLink, and the rest
	hitLink  = 5_000    // the same as longest in hit.js
	hitPages = 100      // the same as most in hit.js
)

// hitForm is a message that reports page views and clicks.
type hitForm struct {
	hits  []store.Hit
	visit bool // the message begins a visit
}

// parseHit reads a form. It returns false for a form that a paper's page cannot have sent. The target of a click is
// still the address that the page has in the link.
func parseHit(form url.Values) (h hitForm, ok bool) {
	told := form["link"]
	if form.Has("pages") {
		told = append(strings.Split(form.Get("pages"), ","), told...)
	}
	for _, text := range told {
		page, target, _ := strings.Cut(text, " ")
		n, err := strconv.ParseInt(page, 10, 32)
		if err != nil || n < 1 || len(h.hits) == hitPages {
			return hitForm{}, false
		}
		h.hits = append(h.hits, store.Hit{Page: int(n), Target: target})
	}
	h.visit, ok = rules.Bool(form.Get("new"), false)
	return h, ok && len(h.hits) > 0
}

// among removes pages that the paper does not have, 0 among them. It may have fewer pages than when the
// reader opened it.
func (h hitForm) among(total int) hitForm {
	return hitForm{slices.DeleteFunc(h.hits, func(one store.Hit) bool { return one.Page < 1 || one.Page > total }), h.visit}
}
