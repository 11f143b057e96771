package reader

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// errToken is the error for an invalid preview token.
var errToken = errors.New("the preview token does not open this paper")

// errOver is the error for a paper that was published. Whatever else is asked of it is not found.
var errOver = fmt.Errorf("its period has ended: %w", store.ErrNotFound)

// errEnough ends an iteration early.
var errEnough = errors.New("enough was looked at")

// mayOpen checks the right to see a paper: whether it is visible or, if the request
// has a preview token, by the token alone. It returns when the right ends (the zero time
// for never), and whether a token was given.
func (s *Reader) mayOpen(tx store.Reader, r *http.Request, paper store.Node) (end time.Time, preview bool, err error) {
	query := r.URL.Query()
	if !query.Has("SecurityToken") {
		switch now := s.Now(); {
		case visible(paper, now):
		case paper.NotPublic, now.Before(paper.Period.From):
			return end, false, store.ErrNotFound
		default:
			return end, false, errOver
		}
		return paper.Period.To, false, nil
	}
	guid, ok := rules.GUID(query.Get("SecurityToken"))
	if !ok {
		return end, true, errToken
	}
	token, err := tx.Token(guid)
	switch {
	case store.IsNotFound(err):
		return end, true, errToken
	case err != nil:
		return end, true, err
	case token.Node != paper.ID, !s.Now().Before(token.Expires), token.IP != "" && token.IP != address.Client(r):
		return end, true, errToken
	}
	return token.Expires, true, nil
}

// visible reports whether a paper is published: its publisher does not say no, and it has no period, or is in it.
func visible(n store.Node, now time.Time) bool {
	return !n.NotPublic && (n.Period.IsZero() || !now.Before(n.Period.From) && now.Before(n.Period.To))
}
