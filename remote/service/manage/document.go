package manage

import (
	"embed"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/session"
	"paperfs/remote/service/store"
)

// The forms of the documents: {} is the place of a value, {name} of a word. See view.Markup.
//
//go:embed form
var formFiles embed.FS

var wordHole = rules.Pattern(`\{\w+\}`)

// form returns a form with its values.
func (v *visit) form(name string, values ...any) view.HTML {
	content, err := formFiles.ReadFile("form/" + name + ".html")
	if err != nil {
		panic(err) // cannot fail: the file is embedded
	}
	worded := wordHole().ReplaceAllStringFunc(string(content), func(hole string) string {
		return string(view.Form(`{}`, v.words[strings.Trim(hole, "{}")]))
	})
	return view.Form(view.HTML(worded), values...)
}

// show answers with a document. head is what its head has besides.
func (v *visit) show(status int, title string, head, body view.HTML) {
	h := v.l.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Vary", "Accept-Encoding, Accept-Language, Cookie")
	page := string(v.form("document", title, v.asset("icon.svg"), v.asset("page.css"), head, body))
	var to io.Writer = v.l
	if answer.AcceptsGzip(v.r) {
		h.Set("Content-Encoding", "gzip")
		zip := answer.SmallGzip.Writer(v.l)
		defer answer.SmallGzip.Return(zip)
		defer zip.Close()
		to = zip
	}
	v.l.WriteHeader(status)
	_, _ = io.WriteString(to, page) // the client may have disconnected
}

// asset returns the address of an asset.
func (v *visit) asset(name string) view.Address {
	return view.Address(string(v.Base) + Path + assets().Names[name])
}

// hidden are hidden fields, given as name and value, after that with the session's token.
func (v *visit) hidden(fields ...string) view.HTML {
	var m view.Markup
	for i, all := 0, append([]string{call.TokenField, session.Token(v.secret)}, fields...); i < len(all); i += 2 {
		m.Add(`<input type="hidden" name="{}" value="{}">`, all[i], all[i+1])
	}
	return view.HTML(m)
}

func number(of int64) string { return strconv.FormatInt(of, 10) }

// moment is a time, which is told in UTC.
func moment(at time.Time) view.HTML {
	return view.Form(`<time datetime="{}">{} UTC</time>`, at.UTC().Format(time.RFC3339), at.UTC().Format("2006-01-02 15:04"))
}

// refuse answers with a sentence, as a document or, to a script, as JSON.
func (v *visit) refuse(status int, words string) {
	if answer.PrefersJSON(v.r.Header.Values("Accept")) {
		v.l.Header().Set("Content-Type", answer.JSONType)
		answer.Error(v.l, status, words)
		return
	}
	v.show(status, v.words["title"], "", v.form("refusal", words, view.Address(string(v.Base)+Path)))
}

// read reads the records. Once it has answered that this cannot be, it returns false.
func (v *visit) read(f func(tx store.Reader) error) bool {
	err := v.Store.Read(v.r.Context(), f)
	if store.IsNotFound(err) {
		v.refuse(http.StatusNotFound, v.words["gone"])
	} else if err != nil {
		v.failed(err)
	}
	return err == nil
}

// failed answers a request for which the records cannot be read or changed.
func (v *visit) failed(err error) {
	if v.r.Context().Err() == nil {
		v.Log.Error("the page failed", "request", v.l.Number, "error", err)
	}
	v.l.Header().Set("Retry-After", answer.RetryAfter)
	v.refuse(http.StatusServiceUnavailable, v.words["away"])
}

// leadTo answers with another address of the page, which is asked for by GET.
func (v *visit) leadTo(at string) {
	v.l.Header().Set("Location", string(v.Base)+Path+at)
	v.l.WriteHeader(http.StatusSeeOther)
}

// showSignIn answers with the form for an account and its key. Its script redeems the link that the address may have.
func (v *visit) showSignIn(status int, problem string) {
	var alert, again view.HTML
	if problem != "" {
		alert = view.Form(`<p role="alert" class="problem">{}</p>`, problem)
	}
	if site := v.r.Header.Get("Sec-Fetch-Site"); v.cookie() == "" && (site == "cross-site" || site == "same-site") {
		again = " data-again" // the browser sends the cookie only to what this origin asks for
	}
	v.show(status, v.words["signIn"], view.Form(`<script type="module" src="{}"></script>`, v.asset("enter.js")), v.form("signin", again, alert))
}
