package reader

import (
	"net/url"
	"strconv"
	"strings"

	"paperfs/remote/rules"
)

// What one message of a page may have.
const (
	hitBytes = 2 << 10
	hitPages = 100 // as in hit.js
)

// hitForm is what a page says was looked at.
type hitForm struct {
	pages []int
	visit bool // a visit began with it
}

// parseHit reads a form. It reports false for one that the page of a paper cannot have sent.
func parseHit(form url.Values) (h hitForm, ok bool) {
	for text := range strings.SplitSeq(form.Get("pages"), ",") {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 || len(h.pages) == hitPages {
			return hitForm{}, false
		}
		h.pages = append(h.pages, int(n))
	}
	h.visit, ok = rules.Bool(form.Get("new"), false)
	return h, ok
}

// among leaves out what the paper does not have: it may have fewer pages since.
func (h hitForm) among(total int) hitForm {
	var there []int
	for _, n := range h.pages {
		if n <= total {
			there = append(there, n)
		}
	}
	return hitForm{there, h.visit}
}
