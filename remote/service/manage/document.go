package manage

import (
	"io"
	"net/http"
	"strconv"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/session"
)

// show answers with a document. head is what its head has besides.
func (v *visit) show(status int, title string, head, body view.HTML) {
	h := v.l.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Vary", "Accept-Encoding, Accept-Language, Cookie")
	page := view.Form(`<!DOCTYPE html>
<html lang="{}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{}</title>
<link rel="icon" type="image/svg+xml" href="{}">
<link rel="stylesheet" href="{}">{}
</head>
{}
</html>
`, v.words["tag"], title, v.asset("icon.svg"), v.asset("page.css"), head, body)
	if !answer.AcceptsGzip(v.r) {
		v.l.WriteHeader(status)
		_, _ = io.WriteString(v.l, string(page)) // the client may have disconnected
		return
	}
	h.Set("Content-Encoding", "gzip")
	v.l.WriteHeader(status)
	zip := answer.SmallGzip.Writer(v.l)
	defer answer.SmallGzip.Return(zip)
	_, _ = io.WriteString(zip, string(page))
	_ = zip.Close()
}

// asset returns the address of an asset for any document of the page.
func (v *visit) asset(name string) view.Address {
	return view.Address(string(v.Base) + Path + assets().Names[name])
}

// at returns an address of the page.
func (v *visit) at(rest string) view.Address { return view.Address(string(v.Base) + Path + rest) }

// token is a field of a form with the session's token.
func (v *visit) token() view.HTML {
	return view.Form(`<input type="hidden" name="token" value="{}">`, session.Token(v.secret))
}

// field is a hidden field.
func field(name view.HTML, value string) view.HTML {
	return view.Form(`<input type="hidden" name="{}" value="{}">`, name, value)
}

func number(of int64) string { return strconv.FormatInt(of, 10) }

// refuse answers with a sentence, as a document or, to a script, as JSON.
func (v *visit) refuse(status int, words string) {
	if answer.PrefersJSON(v.r.Header.Values("Accept")) {
		v.l.Header().Set("Content-Type", answer.JSONType)
		answer.Error(v.l, status, words)
		return
	}
	v.show(status, v.words["title"], "", view.Form(`<body class="alone">
<main>
<h1>{}</h1>
<p role="alert">{}</p>
<p><a href="{}">{}</a></p>
</main>
</body>`, v.words["title"], words, v.at(""), v.words["toPage"]))
}

// showSignIn answers with the form for an account and its key. Its script redeems the link that the address may have.
func (v *visit) showSignIn(status int, problem string) {
	alert := view.HTML("")
	if problem != "" {
		alert = view.Form("\n"+`<p role="alert" class="problem">{}</p>`, problem)
	}
	again := view.HTML("")
	if site := v.r.Header.Get("Sec-Fetch-Site"); v.cookie() == "" && (site == "cross-site" || site == "same-site") {
		again = " data-again" // the browser sends the cookie only to what this origin asks for
	}
	v.show(status, v.words["signIn"], view.Form(`
<script type="module" src="{}"></script>`, v.asset("enter.js")), view.Form(`<body class="alone"{}>
<main>
<h1>{}</h1>{}
<p id="opening" hidden>{}</p>
<form method="post" action="{}">
<label>{}<input name="account" autocomplete="username" autocapitalize="none" spellcheck="false" required></label>
<label>{}<input name="key" type="password" autocomplete="current-password" required></label>
<button class="main">{}</button>
</form>
<form id="link" method="post" action="{}" hidden><input type="hidden" name="link"></form>
<p class="note">{}</p>
</main>
</body>`, again, v.words["title"], alert, v.words["opening"], v.at("in"), v.words["account"], v.words["key"], v.words["signIn"], v.at("link"), v.words["keyNote"]))
}

// leadTo answers with another address of the page, which is asked for by GET.
func (v *visit) leadTo(at string) {
	v.l.Header().Set("Location", string(v.Base)+Path+at)
	v.l.WriteHeader(http.StatusSeeOther)
}

// failed answers a request for which the records cannot be read or changed.
func (v *visit) failed(err error) {
	if v.r.Context().Err() == nil {
		v.Log.Error("the page failed", "request", v.l.Number, "error", err)
	}
	v.l.Header().Set("Retry-After", answer.RetryAfter)
	v.refuse(http.StatusServiceUnavailable, v.words["away"])
}
