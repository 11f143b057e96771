package manage

import (
	"encoding/hex"
	"net/http"
	"time"

	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// showSessions answers with the browsers in which the account is signed in.
func (v *visit) showSessions() {
	var all []store.Session
	err := v.Store.Read(v.r.Context(), func(tx store.Reader) (err error) {
		all, err = tx.Sessions(v.session.Account)
		return err
	})
	if err != nil {
		v.failed(err)
		return
	}
	var rows view.Markup
	for _, s := range all {
		if !v.Now().Before(s.Ends) {
			continue
		}
		here := view.HTML("")
		if s.Digest == v.session.Digest {
			here = view.Form(` <b>{}</b>`, v.words["thisBrowser"])
		}
		rows.Line(`<tr><td>{}{}<td>{}<td>{}<td><form method="post" action="{}">{}{}<button>{}</button></form></tr>`, s.Agent, here, moment(s.Began), moment(s.Used),
			v.at("end"), v.token(), field("session", hex.EncodeToString(s.Digest[:])), v.words["end"])
	}
	v.show(http.StatusOK, v.words["sessions"], "", view.Form(`<body class="plain">
{}
<main>
<h1>{}</h1>
<p>{}</p>
<table>
<thead><tr><th>{}<th>{}<th>{}<th>{}</tr></thead>
<tbody>{}
</tbody></table>
</main>
</body>`, v.bar(), v.words["sessions"], v.words["sessionsNote"], v.words["browser"], v.words["since"], v.words["lastUse"], v.words["end"], view.HTML(rows)))
}

// moment is a time, which is told in UTC.
func moment(at time.Time) view.HTML {
	return view.Form(`<time datetime="{}">{} UTC</time>`, at.UTC().Format(time.RFC3339), at.UTC().Format("2006-01-02 15:04"))
}

// bar has what each document without scripts begins with.
func (v *visit) bar() view.HTML {
	return view.Form(`<header>
<a class="home" href="{}">{}</a>
<a href="{}">{}</a>
<form method="post" action="{}">{}<button>{}</button></form>
</header>`, v.at(""), v.words["title"], v.at("sessions"), v.caller.Account.Name, v.at("out"), v.token(), v.words["signOut"])
}
