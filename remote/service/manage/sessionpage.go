package manage

import (
	"encoding/hex"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// showSessions answers with the browsers in which the account is signed in.
func (v *visit) showSessions() {
	var all []store.Session
	if !v.read(func(tx store.Reader) (err error) { all, err = tx.Sessions(v.session.Account); return err }) {
		return
	}
	var rows view.HTML
	for _, s := range all {
		if s.Once || !v.Now().Before(s.Ends) {
			continue
		}
		var here view.HTML
		if s.Digest == v.session.Digest {
			here = view.Form(` <b>{}</b>`, v.words["thisBrowser"])
		}
		rows += v.form("session", s.Agent, here, moment(s.Began), moment(s.Used), v.hidden(), hex.EncodeToString(s.Digest[:]))
	}
	v.show(http.StatusOK, v.words["sessions"], "", v.form("sessions", v.bar(), rows))
}

// bar has what each document without scripts begins with.
func (v *visit) bar() view.HTML {
	return v.form("bar", v.toAccounts(), v.caller.Account.Name, v.hidden())
}

// toAccounts leads an administrator to the accounts.
func (v *visit) toAccounts() view.HTML {
	if v.caller.Account.Role < remote.Admin {
		return ""
	}
	return view.Form(`<a href="accounts">{}</a>`, v.words["accounts"])
}
