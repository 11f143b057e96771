package manage

import (
	"encoding/json"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/processing"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/session"
	"paperfs/remote/service/store"
)

// showApp answers with the page. Its scripts read the tree, and build everything that depends on it.
func (v *visit) showApp() {
	t := v.caller.Tenant
	about := map[string]any{"token": session.Token(v.secret), "account": v.caller.Account.Name, "root": number(t.Root), "editor": v.caller.Account.Role >= remote.Editor,
		"days": t.Keep.ForDays(), "options": processing.WithLinks, "words": v.words}
	err := v.Store.Read(v.r.Context(), func(tx store.Reader) (err error) {
		about["public"], err = v.public(tx, "/")
		return err
	})
	if err != nil {
		v.failed(err)
		return
	}
	known, err := json.Marshal(about) // it escapes <, > and &
	if err != nil {
		v.failed(err)
		return
	}
	w := v.words
	v.show(http.StatusOK, w["title"], view.Form(`
<noscript><meta http-equiv="refresh" content="0;url=table"></noscript>
<script type="application/json" id="about">{}</script>
<script type="module" src="{}"></script>`, view.HTML(known), v.asset("page.js")), view.Form(`<body class="app">
<header>
<a class="home" href="#">{}</a>
<input id="find" type="search" aria-label="{}" placeholder="{}">
<button id="choose" class="main edit" hidden>{}</button><input id="files" type="file" accept="application/pdf,.pdf" multiple hidden>
<details id="menu"><summary>{}</summary><div>
<button id="deleted" class="edit" hidden>{}</button>
<a href="{}">{}</a>
<form method="post" action="{}">{}<button>{}</button></form>
</div></details>
</header>
<div id="panes">
<nav aria-label="{}"><details id="tree" open><summary>{}</summary><ul></ul></details></nav>
<main tabindex="-1">
<div class="head"><h1></h1><button id="about-category" class="edit" hidden>{}</button><button id="new-category" class="edit" hidden>{}</button>
<label>{} <select id="order"><option value="name">{}<option value="newest">{}</select></label></div>
<p id="empty" hidden></p>
<ul id="folders" class="cards"></ul>
<ul id="cards" class="cards"></ul>
</main>
<aside hidden></aside>
</div>
<div id="toasts" role="status"></div>
<p id="drop" hidden>{}</p>
</body>`, w["title"], w["find"], w["find"], w["upload"], v.caller.Account.Name, w["deleted"], v.at("sessions"), w["sessions"], v.at("out"), v.token(), w["signOut"],
		w["categories"], w["categories"], w["editCategory"], w["newCategory"], w["order"], w["byName"], w["newest"], w["dropHere"]))
}
