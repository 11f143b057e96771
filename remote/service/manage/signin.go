package manage

import (
	"crypto/hmac"
	"encoding/hex"
	"net/http"
	"strings"

	"paperfs/remote/service/address"
	"paperfs/remote/service/call"
	"paperfs/remote/service/session"
	"paperfs/remote/service/store"
)

// mostForm is the largest form that is no call of an operation.
const mostForm = 16 << 10

// fields reads the form of a request. Once it has answered that it cannot, it returns false.
func (v *visit) fields() bool {
	v.r.Body = http.MaxBytesReader(nil, v.r.Body, mostForm)
	if v.r.ParseForm() != nil {
		v.refuse(http.StatusBadRequest, v.words["badForm"])
		return false
	}
	return true
}

// signIn begins a session for who knows an account's name and key. Only failures count: nobody else's guesses end a session.
func (v *visit) signIn() {
	if !v.fields() {
		return
	}
	account, key := strings.TrimSpace(v.r.PostForm.Get("account")), strings.TrimSpace(v.r.PostForm.Get("key"))
	host := address.Host(v.r.Host)
	caller, err := v.Signs(v.r.Context(), host, account, key)
	if err != nil {
		v.failed(err)
		return
	}
	if caller.Account.ID == 0 {
		if v.MayAsk(v.l, v.r) {
			v.showSignIn(http.StatusForbidden, v.words["wrongKey"])
		}
		return
	}
	v.begin(caller.Tenant.ID, func(tx store.Writer) (string, error) {
		return session.Begin(tx, caller.Account.ID, v.r.UserAgent(), v.Now())
	})
}

// redeem begins the session of a link.
func (v *visit) redeem() {
	if !v.fields() {
		return
	}
	var caller store.Caller
	err := v.Store.Read(v.r.Context(), func(tx store.Reader) (err error) { // a wrong one holds up no writer
		caller, _, err = session.Find(tx, address.Host(v.r.Host), session.Digest(v.r.PostForm.Get("link")), true, v.Now())
		return err
	})
	if err != nil {
		v.notBegun(err)
		return
	}
	v.begin(caller.Tenant.ID, func(tx store.Writer) (string, error) {
		return session.Redeem(tx, address.Host(v.r.Host), v.r.PostForm.Get("link"), v.r.UserAgent(), v.Now())
	})
}

// begin begins a session. One that the browser had goes on without it, with what its windows send.
func (v *visit) begin(tenant int64, begin func(tx store.Writer) (secret string, err error)) {
	var secret string
	err := v.Store.Write(v.r.Context(), tenant, func(tx store.Writer) (err error) {
		secret, err = begin(tx)
		return err
	})
	if err != nil {
		v.notBegun(err)
		return
	}
	v.Addresses.Know(address.Network(v.r))
	v.setCookie(secret)
	v.leadTo("")
}

// notBegun answers that no session has begun.
func (v *visit) notBegun(err error) {
	if !store.IsNotFound(err) {
		v.failed(err)
	} else if v.MayAsk(v.l, v.r) {
		v.showSignIn(http.StatusForbidden, v.words["linkOver"])
	}
}

// ours checks the token of a form.
func (v *visit) ours() bool {
	if !v.fields() {
		return false
	}
	if !hmac.Equal([]byte(v.r.PostForm.Get(call.TokenField)), []byte(session.Token(v.secret))) {
		v.refuse(http.StatusForbidden, v.words["foreign"])
		return false
	}
	return true
}

func (v *visit) signOut() {
	if v.ours() && v.end(v.session.Digest) {
		v.setCookie("")
		v.leadTo("")
	}
}

// endSession ends a session of the same account, in another browser perhaps.
func (v *visit) endSession() {
	if !v.ours() {
		return
	}
	digest, err := hex.DecodeString(v.r.PostForm.Get("session"))
	if err != nil || len(digest) != len(v.session.Digest) {
		v.refuse(http.StatusBadRequest, v.words["badForm"])
	} else if v.end([32]byte(digest)) {
		v.leadTo("sessions")
	}
}

// end ends a session of the account; what has ended already is no failure. Once it has answered that it cannot, it returns false.
func (v *visit) end(digest [32]byte) bool {
	err := v.Store.Write(v.r.Context(), v.caller.Tenant.ID, func(tx store.Writer) error {
		s, _, err := tx.SessionOf(digest)
		if err == nil && s.Account == v.session.Account {
			err = tx.EndSession(digest)
		}
		return err
	})
	if err = store.IgnoreNotFound(err); err != nil {
		v.failed(err)
	}
	return err == nil
}
