package remote

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// Validator names the content of an answer of GetAllPapers or GetTree, in the
// service's own words: an ETag. It is empty if the service sends none. It is valid
// only for the same call of the same account at the same service.
type Validator string

// ErrUnchanged is the answer to a caller that has sent a Validator: the tree is still the
// one that it names.
var ErrUnchanged = errors.New("the tree has not changed")

// maxValidator bounds what is kept and sent again; a longer one counts as none.
const maxValidator = 256

func validatorOf(h http.Header) Validator {
	if tag := h.Get("ETag"); len(tag) <= maxValidator {
		return Validator(tag)
	}
	return ""
}

// same compares as If-None-Match does: weak or not is the same.
func (v Validator) same(other Validator) bool {
	return strings.TrimPrefix(string(v), "W/") == strings.TrimPrefix(string(other), "W/")
}

// ask asks the service to leave the answer out if it is the one that v names. The
// service then answers the POST with 412, if the request says that it understands that.
func (v Validator) ask(h http.Header) {
	if v == "" {
		return
	}
	h.Set("If-None-Match", string(v))
	h.Set("Prefer", "unchanged=412")
}

// confirmed reports whether an answer says that the tree is the one that was
// asked about. Some proxies answer 304 where the service says 412; an answer
// that names another tree confirms nothing.
func (v Validator) confirmed(resp *http.Response) bool {
	if v == "" || resp.StatusCode != http.StatusPreconditionFailed && resp.StatusCode != http.StatusNotModified {
		return false
	}
	now := resp.Header.Get("ETag")
	return now == "" || v.same(Validator(now))
}

// ifChanged makes a call that reads a tree, unless that is the one that known
// names. If the answer is about another tree, it asks
// again without it.
func (c *Client) ifChanged(ctx context.Context, known Validator, call func() *request) (Validator, error) {
	r := call()
	r.known = known
	_, err := c.do(ctx, r)
	if e, ok := errors.AsType[*Error](err); ok && known != "" &&
		(e.Status == http.StatusPreconditionFailed || e.Status == http.StatusNotModified) {
		r = call()
		_, err = c.do(ctx, r)
	}
	switch {
	case err != nil:
		return "", err
	case r.unchanged:
		return known, ErrUnchanged
	}
	return r.validator, nil
}
