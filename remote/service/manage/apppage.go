package manage

import (
	"encoding/json"
	"net/http"
	"net/url"

	"paperfs/remote"
	"paperfs/remote/service/processing"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/session"
	"paperfs/remote/service/store"
)

// showApp answers with the page. Its scripts read the tree, and build everything that depends on it.
func (v *visit) showApp() {
	t, account := v.caller.Tenant, v.caller.Account
	about := map[string]any{"token": session.Token(v.secret), "account": account.Name, "root": number(t.Root), "editor": account.Role >= remote.Editor,
		"days": t.Keep.ForDays(), "options": processing.WithLinks, "words": v.words}
	var public string
	if !v.read(func(tx store.Reader) (err error) { public, err = v.public(tx, t.RootURL); return err }) {
		return
	}
	if reader, err := url.Parse(public); err == nil { // a frame has a paper as readers see it
		v.l.Header().Set("Content-Security-Policy", policy+"; frame-src "+reader.Scheme+"://"+reader.Host)
	}
	about["public"] = public
	known, _ := json.Marshal(about) // strings and numbers; it escapes <, > and &
	v.show(http.StatusOK, v.words["title"], view.Form(`
<noscript><meta http-equiv="refresh" content="0;url=table"></noscript>
<script type="application/json" id="about">{}</script>
<script type="module" src="{}"></script>`, view.HTML(known), v.asset("page.js")), v.form("page", account.Name, v.toAccounts(), v.hidden()))
}
