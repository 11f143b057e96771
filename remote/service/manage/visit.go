package manage

import (
	"net/http"
	"strings"

	"paperfs/remote/service/address"
	"paperfs/remote/service/call"
	"paperfs/remote/service/session"
	"paperfs/remote/service/store"
)

// visit is one request.
type visit struct {
	*Page
	l      *call.RequestLog
	r      *http.Request
	words  Words
	secret string // of the session
	// session has no account where nobody is signed in.
	session store.Session
	caller  store.Caller
}

// recognize finds the session of the cookie.
func (v *visit) recognize() error {
	v.secret = v.cookie()
	if v.secret == "" {
		return nil
	}
	now := v.Now()
	err := v.Store.Read(v.r.Context(), func(tx store.Reader) (err error) {
		v.caller, v.session, err = session.Find(tx, address.Host(v.r.Host), session.Digest(v.secret), false, now)
		return err
	})
	if err != nil {
		v.session = store.Session{}
		return store.IgnoreNotFound(err)
	}
	if session.Stale(v.session, now) && !v.waits() {
		v.use()
	}
	return nil
}

func (v *visit) signedIn() bool { return v.session.Account != 0 }

// waits reports whether the request is held: a page that nobody looks at must not keep its session.
func (v *visit) waits() bool { return strings.HasSuffix(v.r.URL.Path, "/Events/Wait") }

// use notes that the session is used. Where that is not possible, it ends earlier.
func (v *visit) use() {
	err := v.Store.Write(v.r.Context(), v.caller.Tenant.ID, func(tx store.Writer) error { return session.Use(tx, v.session, v.Now()) })
	if err != nil && !store.IsNotFound(err) {
		v.Log.Warn("the use of a session is not noted", "request", v.l.Number, "error", err)
	}
}

// mayGo counts a request of somebody who is not signed in.
func (v *visit) mayGo() bool {
	return v.signedIn() || v.MayAsk(v.l, v.r)
}
