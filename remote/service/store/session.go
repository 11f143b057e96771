package store

import "time"

// Session is a browser that is signed in to the publisher's page or, if Once, a link that signs one in and ends with that.
// It ends with its account and with the account's key.
type Session struct {
	Digest  [32]byte // SHA-256 of its secret, which only the browser or the link has
	Account int64
	Once    bool
	Agent   string    // what the browser calls itself; "" for a link
	Began   time.Time // all times are UTC, to the second
	Used    time.Time
	Ends    time.Time // if it is not used before
}

// SessionReader finds sessions, also those that have ended.
type SessionReader interface {
	// SessionOf returns a session with the name of its account.
	SessionOf(digest [32]byte) (s Session, account string, err error)
	// Sessions returns those of an account, with links, the last used first.
	Sessions(account int64) ([]Session, error)
}

// SessionWriter changes sessions. Who waits for the changes of a tenant looks, after each, whether the session is still there.
type SessionWriter interface {
	// AddSession also deletes the account's sessions that ended before this one began.
	AddSession(s Session) error
	UseSession(digest [32]byte, used, ends time.Time) error
	EndSession(digest [32]byte) error // ErrNotFound: another ended it
}
