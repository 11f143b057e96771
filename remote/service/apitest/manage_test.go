package apitest

import (
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// visitor is a browser at the publisher's page: it has cookies, and says of itself what browsers say.
type visitor struct {
	*server
	cookies map[string]*http.Cookie
	https   bool
}

// visitor opens a browser.
func (s *server) visitor() *visitor { return &visitor{server: s, cookies: map[string]*http.Cookie{}} }

// proxied is a service behind a proxy that speaks HTTPS.
func proxied(o *service.Options) {
	o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
}

// origin is that of the page.
func (v *visitor) origin() string {
	host, scheme := strings.TrimPrefix(v.http.URL, "http://"), "http://"
	if v.host != "" {
		host = v.host
	}
	if v.https {
		scheme = "https://"
	}
	return scheme + host
}

// ask sends a request; more are headers, "" for none.
func (v *visitor) ask(method, path, body string, more ...string) reply {
	v.t.Helper()
	r := testrun.Must(http.NewRequest(method, v.http.URL+path, strings.NewReader(body)))(v.t)
	if v.host != "" {
		r.Host = v.host
	}
	if v.https {
		r.Header.Set("X-Forwarded-For", "203.0.113.9")
		r.Header.Set("X-Forwarded-Proto", "https")
	}
	r.Header.Set("User-Agent", "Browser <b>1</b>")
	r.Header.Set("Sec-Fetch-Site", "none")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Origin", v.origin())
	}
	for i := 0; i < len(more); i += 2 {
		if r.Header.Set(more[i], more[i+1]); more[i+1] == "" {
			r.Header.Del(more[i])
		}
	}
	for _, c := range v.cookies {
		r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	stays := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response := testrun.Must(stays.Do(r))(v.t)
	for _, c := range response.Cookies() {
		if v.cookies[c.Name] = c; c.MaxAge < 0 {
			delete(v.cookies, c.Name)
		}
	}
	return read(v.t, response)
}

func (v *visitor) get(path string) reply { return v.ask(http.MethodGet, path, "") }

func (v *visitor) post(path string, pairs ...string) reply {
	return v.ask(http.MethodPost, path, params(pairs...).Encode())
}

// signIn signs in with the account of the server.
func (v *visitor) signIn() *visitor {
	v.t.Helper()
	r := v.post("/manage/in", "account", v.user, "key", v.key)
	require.Equal(v.t, http.StatusSeeOther, r.status, r.body)
	require.Equal(v.t, "/manage/", r.header.Get("Location"))
	require.True(v.t, v.in())
	return v
}

// in reports whether the browser is signed in.
func (v *visitor) in() bool {
	v.t.Helper()
	r := v.get("/manage/table")
	require.Contains(v.t, []int{http.StatusOK, http.StatusSeeOther}, r.status, r.body)
	return r.status == http.StatusOK
}

var tokens = regexp.MustCompile(`name="token" value="([^"]+)"`)

// token is that of the page.
func (v *visitor) token() string {
	v.t.Helper()
	found := tokens.FindStringSubmatch(v.get("/manage/table").body)
	require.NotNil(v.t, found)
	return found[1]
}

// calls calls an operation as the page's script does.
func (v *visitor) calls(op *remote.Operation, pairs ...string) reply {
	v.t.Helper()
	return v.ask(http.MethodPost, "/manage/call/"+op.Group+"/"+op.Name, params(pairs...).Encode(), "Paperfs-Token", v.token(), "Accept", "application/json")
}

// TestOnlyThePageReadsItsCookie sends the cookie of an administrator to everything else.
func TestOnlyThePageReadsItsCookie(t *testing.T) {
	t.Parallel()
	s := start(t, proxied)
	paper := s.paper("1", "draft")
	s.process(paper, pdftest.Text("one"), "")
	s.must(remote.SetSetting, "paperID", paper, "setting", "public", "value", "false")
	s.upload("0", "f.txt", "text")
	v := s.visitor()
	v.https = true
	v.signIn()
	t.Run("API", func(t *testing.T) {
		for _, op := range remote.Operations {
			if !op.Served {
				continue
			}
			form := params(blank(op)...)
			form.Set(op.Pair.Username, "")
			form.Set(op.Pair.Password, "")
			if op.Bulk != "" {
				form.Set(op.Bulk, "")
			}
			r := v.ask(http.MethodPost, op.Path(), form.Encode(), "Paperfs-Token", v.token())
			require.Equal(t, remote.LoginSecurityViolation, r.code, "%s: %s", op.Name, r.body)
		}
	})
	t.Run("reader", func(t *testing.T) {
		for _, path := range []string{"/draft/", "/draft/layer.json?PageID=1", "/draft/download", "/draft/image.ashx?PageID=1&ImageType=Thumb"} {
			require.Equal(t, http.StatusNotFound, v.get(path).status, path)
		}
		require.NotContains(t, v.get("/").body, "draft")
	})
	t.Run("media", func(t *testing.T) {
		with := v.get("/media/1/f.txt")
		v.cookies = map[string]*http.Cookie{}
		without := v.get("/media/1/f.txt")
		require.Equal(t, without.body, with.body)
		require.Equal(t, without.header.Get("Cache-Control"), with.header.Get("Cache-Control"))
		require.Empty(t, with.header.Values("Set-Cookie"))
	})
}

// TestForeignRequestsChangeNothing sends what other origins can make a browser send, with the cookie, and with and without the token.
func TestForeignRequestsChangeNothing(t *testing.T) {
	t.Parallel()
	s := start(t, proxied)
	s.host = "a.papers.example"
	v := s.visitor()
	v.https = true
	v.signIn()
	token := v.token()
	before := s.tree()
	for name, headers := range map[string][]string{
		"another site":           {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
		"a sibling tenant":       {"Sec-Fetch-Site", "same-site", "Origin", "https://b.papers.example"},
		"a sibling, with ours":   {"Sec-Fetch-Site", "same-site"},
		"a sandbox":              {"Sec-Fetch-Site", "cross-site", "Origin", "null"},
		"an older browser":       {"Sec-Fetch-Site", "", "Origin", "https://b.papers.example"},
		"an older sandbox":       {"Sec-Fetch-Site", "", "Origin", "null"},
		"no origin at all":       {"Sec-Fetch-Site", "", "Origin", ""},
		"no origin":              {"Origin", ""},
		"another scheme":         {"Origin", "http://a.papers.example"},
		"another port":           {"Origin", "https://a.papers.example:8443"},
		"a name that begins so":  {"Origin", "https://a.papers.example.evil.example"},
		"an address bar":         {"Sec-Fetch-Site", "none"},
		"two that it comes from": {"Sec-Fetch-Site", "same-origin, cross-site"},
	} {
		for _, path := range []string{"/manage/call/Paper/CreateCategory", "/manage/out", "/manage/in", "/manage/end", "/manage/accounts"} {
			body := url.Values{"parentID": {"1"}, "name": {"x"}, "urlName": {"x"}, "token": {token}, "account": {s.user}, "key": {s.key}}.Encode()
			r := v.ask(http.MethodPost, path, body, append([]string{"Paperfs-Token", token}, headers...)...)
			require.Equal(t, http.StatusForbidden, r.status, "%s %s: %s", name, path, r.body)
			require.Contains(t, r.body, "did not come from the page itself")
		}
	}
	for name, headers := range map[string][]string{"none": nil, "wrong": {"Paperfs-Token", "x"}, "cut": {"Paperfs-Token", token[1:]}} {
		for _, accepts := range []string{"application/json", "text/html"} {
			r := v.ask(http.MethodPost, "/manage/call/Paper/CreateCategory", "parentID=1&name=x&urlName=x", append([]string{"Accept", accepts}, headers...)...)
			require.NotEqual(t, http.StatusSeeOther, r.status, name)
			require.Contains(t, r.body, "did not come from the page", name)
		}
		require.Equal(t, http.StatusForbidden, v.ask(http.MethodPost, "/manage/out", "", headers...).status)
	}
	other := s.visitor()
	other.https = true
	require.Contains(t, v.calls(remote.GetAllPapers, "paperID", "1").body, "SUCCESS")
	require.Equal(t, http.StatusForbidden, v.ask(http.MethodPost, "/manage/call/Paper/CreateCategory", "parentID=1&name=x&urlName=x", "Accept", "application/json", "Paperfs-Token", other.signIn().token()).status, "of another session")
	require.Equal(t, before, s.tree())
	require.True(t, v.in())
	require.Equal(t, http.StatusNotFound, v.ask(http.MethodGet, "/manage/call/Paper/CreateCategory?parentID=1&name=x&urlName=x&token="+token, "").status)
	r := v.get("/manage/")
	for name, words := range map[string]string{"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; frame-src https://a.papers.example",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff"} {
		require.Equal(t, words, r.header.Get(name), name)
	}
}

// TestCallsOfThePage calls operations by a session: what the role allows happens, as over the API, and is told by the account's name.
func TestCallsOfThePage(t *testing.T) {
	t.Parallel()
	s := start(t)
	editor, reader := s.account("anna", remote.Editor).visitor().signIn(), s.account("ben", remote.Reader).visitor().signIn()
	mark := s.mark()
	require.Contains(t, editor.calls(remote.CreatePaper, "parentID", "1", "name", "N", "urlName", "n").body, `"paper":{"id":"2"}`)
	require.Equal(t, "anna", s.after(mark).Events[0].Account)
	require.Contains(t, reader.calls(remote.CreatePaper, "parentID", "1", "name", "N", "urlName", "m").body, "LOGIN_SECURITY_VIOLATION")
	require.Contains(t, reader.calls(remote.GetAllPapers, "paperID", "1").body, `"id":"2"`)
	require.Contains(t, editor.calls(remote.AddCustomField, "name", "f", "dataType", "int").body, "LOGIN_SECURITY_VIOLATION")
	require.Contains(t, editor.calls(remote.CreatePaper, "parentID", "1").body, "Missing parameter: name.")
	require.Equal(t, http.StatusNotFound, editor.ask(http.MethodPost, "/manage/call/Paper/Nothing", "", "Accept", "application/json", "Paperfs-Token", editor.token()).status)
	// Forms lead back, or say what is wrong.
	form := func(v *visitor, op *remote.Operation, pairs ...string) reply {
		return v.post("/manage/call/"+op.Group+"/"+op.Name, append([]string{"token", v.token(), "back", "table?node=2"}, pairs...)...)
	}
	renamed := form(editor, remote.RenamePaper, "paperID", "2", "name", "<script>alert(1)</script>")
	require.Equal(t, []any{http.StatusSeeOther, "/manage/table?node=2"}, []any{renamed.status, renamed.header.Get("Location")})
	require.Contains(t, editor.get("/manage/table?node=2").body, "&lt;script&gt;alert(1)&lt;/script&gt;")
	require.NotContains(t, editor.get("/manage/table").body, "<script>alert")
	refused := form(reader, remote.RenamePaper, "paperID", "2", "name", "x")
	require.Equal(t, http.StatusConflict, refused.status)
	require.Contains(t, refused.body, "This account may not call RenamePaper.")
	asked := form(editor, remote.GetAllPapers, "paperID", "1") // a question has its answer as a document
	require.Equal(t, []any{http.StatusOK, "text/xml; charset=utf-8"}, []any{asked.status, asked.header.Get("Content-Type")})
	require.Contains(t, asked.body, "SUCCESS")
	require.Equal(t, http.StatusForbidden, editor.post("/manage/call/Paper/GetAllPapers", "token", "x", "paperID", "1").status)
	for _, back := range []string{"https://evil.example/", "//evil.example", "../../x", "table?\r\nX: y"} {
		r := editor.post("/manage/call/Paper/RenamePaper", "token", editor.token(), "back", back, "paperID", "2", "name", "x"+back[:2])
		require.True(t, strings.HasPrefix(r.header.Get("Location"), "/manage/"), r.header)
		require.NotContains(t, r.header.Get("Location"), "evil")
		require.Empty(t, r.header.Get("X"))
	}
	// Without a session nothing is called.
	out := s.visitor()
	require.Equal(t, http.StatusUnauthorized, out.ask(http.MethodPost, "/manage/call/Paper/GetAllPapers", "paperID=1", "Accept", "application/json", "Paperfs-Token", "x").status)
	require.NoError(t, s.admin().SetReadOnly(true))
	require.Contains(t, editor.calls(remote.DeletePaper, "paperID", "2").body, "READONLY")
	s.at("localhost").visitor().signIn() // a window of maintenance keeps nobody out
}

// TestATokenBehindAFileIsTooLate uploads by a form: the token comes before the file, and is judged before that is received.
func TestATokenBehindAFileIsTooLate(t *testing.T) {
	t.Parallel()
	s := start(t)
	v := s.account("anna", remote.Editor).visitor().signIn()
	file := strings.Replace(rawFile, "File", "Pdf", 1)
	send := func(body string) reply {
		return v.ask(http.MethodPost, "/manage/call/Ripper/ProcessPDF", body, "Content-Type", rawKind)
	}
	fields := rawFields("paperID", "", "xmlOptions", "", "parentID", "1", "name", "From a form", "back", "table?node=1")
	require.Equal(t, http.StatusSeeOther, send(rawFields("token", v.token())+fields+file+string(pdftest.Text("one"))+rawEnd).status)
	require.Contains(t, v.get("/manage/table").body, "From a form")
	before := s.tree()
	for _, wrong := range []string{
		fields + file + strings.Repeat("%PDF-", 1<<20) + rawEnd,
		fields + file + string(pdftest.Text("two")) + "\r\n" + rawFields("token", v.token()) + "--B--\r\n",
		rawFields("token", "x") + fields + file + strings.Repeat("%PDF-", 1<<20) + rawEnd,
	} {
		r := send(wrong)
		require.NotEqual(t, http.StatusSeeOther, r.status, r.body)
	}
	require.Equal(t, before, s.tree())
}

// TestAHeldRequestEndsWithItsSession waits for changes by a session that is ended meanwhile.
func TestAHeldRequestEndsWithItsSession(t *testing.T) {
	t.Parallel()
	s := start(t)
	v := s.account("anna", remote.Reader).visitor().signIn()
	token, before := v.token(), s.inside().Followers()
	mark := s.mark()
	answered := make(chan reply, 1)
	go func() {
		answered <- v.ask(http.MethodPost, "/manage/call/Events/Wait", params("after", mark, "seconds", "55").Encode(), "Accept", "application/json", "Paperfs-Token", token)
	}()
	require.Eventually(t, func() bool { return s.inside().Followers() == before+1 }, 10*time.Second, time.Millisecond)
	other := *v
	require.Equal(t, http.StatusSeeOther, other.post("/manage/out", "token", token).status)
	require.Contains(t, s.answer(answered).body, "You are signed out.")
}

// TestAHostOfItsOwn gives the page a host name that has nothing else: what the reader shows is of another origin.
func TestAHostOfItsOwn(t *testing.T) {
	t.Parallel()
	s := start(t, proxied, func(o *service.Options) { o.ManageHosts = []string{"manage.a.example", "manage.b.example"} })
	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "b", RootURL: "/b/", Hosts: []string{"b.example", "manage.b.example"}}))
	key := testrun.Must(s.admin().AddAccount("b", "beate", remote.Editor))(t)
	paper := s.paper("1", "p")
	s.process(paper, pdftest.Text("one"), "")
	v := s.at("manage.a.example").visitor()
	v.https = true
	v.signIn()
	require.Equal(t, "/manage/", v.get("/").header.Get("Location"))
	for _, path := range []string{"/p/", "/V2/Paper.asmx", "/V2/Paper.asmx/GetAllPapers?paperID=1&plUsername=x&plPassword=x", "/media/1/x", "/robots.txt", "/reader/reader.css"} {
		require.Equal(t, http.StatusNotFound, v.get(path).status, path)
	}
	for _, host := range []string{"a.example", "b.example", ""} {
		other := s.at(host).visitor()
		other.https = host != ""
		require.Equal(t, http.StatusNotFound, other.get("/manage/").status, host)
		require.Equal(t, http.StatusNotFound, other.post("/manage/in", "account", s.user, "key", s.key).status, host)
	}
	b := s.at("manage.b.example").as("beate", key).visitor()
	b.https = true
	b.signIn()
	require.Contains(t, b.get("/manage/").body, `"public":"https://b.example/b/"`, "readers find its papers at another host")
	b.cookies = v.cookies
	require.False(t, b.in(), "a session is of one tenant")
	link := s.at("b.example").as("beate", key).must(remote.CreateSignInLink).element(t, "address")
	require.True(t, strings.HasPrefix(link, "https://manage.b.example/manage/#once="), link)
}

// TestACategoryThatHasTheAddressOfThePage had the address before there was the page: it answers to its id, and the check names it.
func TestACategoryThatHasTheAddressOfThePage(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.fails(remote.Failure, remote.CreateCategory, "parentID", "1", "name", "M", "urlName", "mAnAgE")
	id := s.category("1", "other")
	paper := s.paper(id, "below")
	require.NoError(t, s.inside().Store.Write(t.Context(), 1, func(tx store.Writer) error {
		n, err := tx.Child(1, "other")
		if err == nil {
			n.URLName = "Manage"
			_, err = tx.SetNode(n)
		}
		return err
	}))
	require.Equal(t, "/Manage/below/", s.must(remote.GetPaperUrlFromID, "paperID", paper).attribute(t, "url"))
	require.Contains(t, s.visitor().get("/manage/").body, "Sign in")
	s.must(remote.RenamePaper, "paperID", id, "name", "Renamed")
	if s.place().Apart(t) == nil {
		report := s.check(admin.CheckOptions{})
		require.Len(t, report.Faults, 1)
		require.Contains(t, report.Faults[0], "has the address /manage/")
	}
	s.must(remote.ChangePaperUrl, "paperID", id, "newUrl", "again")
	s.fails(remote.Failure, remote.ChangePaperUrl, "paperID", id, "newUrl", "manage")
}
