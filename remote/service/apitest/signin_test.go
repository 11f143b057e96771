package apitest

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/testrun"
)

// TestSigningIn signs in with a name and a key, and looks at the cookie.
func TestSigningIn(t *testing.T) {
	t.Parallel()
	s := start(t, proxied)
	v := s.visitor()
	require.Contains(t, v.get("/manage/").body, `autocomplete="current-password"`)
	require.Empty(t, v.cookies, "who looks is given none")
	for _, wrong := range [][2]string{{s.user, "x"}, {"x", s.key}, {"", ""}, {s.user, ""}, {strings.ToUpper(s.user), s.key}} {
		r := v.post("/manage/in", "account", wrong[0], "key", wrong[1])
		require.Equal(t, http.StatusForbidden, r.status)
		require.Contains(t, r.body, "The account or the key is wrong.")
		require.Empty(t, v.cookies)
	}
	v.signIn()
	https := s.visitor()
	https.https = true
	https.signIn()
	for who, at := range map[*visitor]string{v: "/manage/", https: "/"} {
		require.Len(t, who.cookies, 1)
		for name, c := range who.cookies {
			require.True(t, c.HttpOnly)
			require.Equal(t, http.SameSiteStrictMode, c.SameSite)
			require.Equal(t, at, c.Path)
			require.Empty(t, c.Domain)
			require.Equal(t, who.https, c.Secure)
			require.Equal(t, who.https, strings.HasPrefix(name, "__Host-"))
			require.GreaterOrEqual(t, len(c.Value), 43, "256 bits")
		}
	}
	another := start(t).visitor().signIn()
	for name := range another.cookies {
		require.NotContains(t, v.cookies, name, "ports of one host share cookies")
	}
	require.Contains(t, v.get("/manage/table").header.Get("Cache-Control"), "no-store")
	require.Equal(t, http.StatusTemporaryRedirect, v.get("/Manage/x").status)
	require.Equal(t, "/manage/", v.get("/MANAGE").header.Get("Location"))
}

// TestPlainHTTPIsForTheOwnMachine refuses a page that others on the way could read.
func TestPlainHTTPIsForTheOwnMachine(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, host := range []string{"papers.example", "localhost.example", "10.0.0.1:8080"} {
		v := s.at(host).visitor()
		for _, r := range []reply{v.get("/manage/"), v.post("/manage/in", "account", s.user, "key", s.key)} {
			require.Equal(t, http.StatusForbidden, r.status, host)
			require.Contains(t, r.body, "opens only over HTTPS")
			require.Empty(t, v.cookies)
		}
		require.Equal(t, http.StatusForbidden, v.ask(http.MethodGet, "/manage/", "", "X-Forwarded-Proto", "https", "X-Forwarded-For", "203.0.113.9").status, "anybody can say so")
	}
	for _, host := range []string{"localhost:8080", "LOCALHOST", "127.0.0.1", "[::1]:80"} {
		s.at(host).visitor().signIn()
	}
}

// TestASessionEnds ends sessions in each way there is.
func TestASessionEnds(t *testing.T) {
	t.Parallel()
	var c *movingClock
	s := start(t, func(o *service.Options) { c = movedBy(o) })
	anna := s.account("anna", remote.Editor)
	signOut := anna.visitor().signIn()
	require.Equal(t, http.StatusSeeOther, signOut.post("/manage/out", "token", signOut.token()).status)
	require.Empty(t, signOut.cookies)
	require.False(t, signOut.in())
	idle := anna.visitor().signIn()
	for range 3 {
		c.move(11 * time.Hour)
		require.True(t, idle.in(), "it is used")
	}
	c.move(12*time.Hour + time.Second)
	require.False(t, idle.in())
	old := anna.visitor().signIn()
	for range 2*30 - 1 {
		c.move(12*time.Hour - time.Second)
		require.True(t, old.in())
	}
	c.move(12 * time.Hour)
	require.False(t, old.in(), "thirty days have passed")
	// Another browser of the same account ends it; one of another account cannot.
	there, here, other := anna.visitor().signIn(), anna.visitor().signIn(), s.visitor().signIn()
	list := here.get("/manage/sessions").body
	require.Contains(t, list, "Browser &lt;b&gt;1&lt;/b&gt;")
	all := regexp.MustCompile(`name="session" value="([0-9a-f]{64})"`).FindAllStringSubmatch(list, -1)
	require.Len(t, all, 2)
	for _, id := range all {
		require.Equal(t, http.StatusSeeOther, other.post("/manage/end", "token", other.token(), "session", id[1]).status)
	}
	require.True(t, there.in())
	for _, wrong := range []string{"", "x", strings.Repeat("0", 64), strings.Repeat("0", 66), strings.Repeat("x", 64)} {
		other.post("/manage/end", "token", other.token(), "session", wrong)
	}
	for _, id := range all {
		here.post("/manage/end", "token", here.token(), "session", id[1])
		if !here.in() {
			here.signIn()
		}
	}
	require.False(t, there.in())
	// The key changes, even where the old one stays valid; the account goes.
	testrun.Must(s.admin().RotateAccount("default", "anna", time.Hour))(t)
	require.False(t, here.in())
	ben := s.account("ben", remote.Reader).visitor().signIn()
	require.NoError(t, s.admin().RemoveAccount("default", "ben"))
	require.False(t, ben.in())
	require.True(t, other.in())
}

// TestARotatedKeySignsNobodyIn uses a key that the API takes for an hour yet: a session would outlive it.
func TestARotatedKeySignsNobodyIn(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.Now = time.Now })
	anna := s.account("anna", remote.Editor)
	testrun.Must(s.admin().RotateAccount("default", "anna", time.Hour))(t)
	require.Equal(t, remote.Success, anna.call(remote.GetPaperIDFromUrl, "url", "/").code)
	require.Equal(t, http.StatusForbidden, anna.visitor().post("/manage/in", "account", anna.user, "key", anna.key).status, "a session would outlive the old key")
	require.Equal(t, remote.LoginSecurityViolation, anna.call(remote.CreateSignInLink).code)
}

// TestSessionsOfAnAccountAreFew signs in more often than an account has sessions: the newest stay. One that a browser had before stays,
// too, for what its windows send, and neither a link that is over nor a session's own call prolongs or ends any.
func TestSessionsOfAnAccountAreFew(t *testing.T) {
	t.Parallel()
	s := start(t)
	first := s.visitor().signIn()
	same := *first
	same.cookies = maps.Clone(first.cookies)
	same.signIn()
	require.True(t, first.in())
	require.Equal(t, http.StatusForbidden, first.post("/manage/link", "link", "x").status)
	require.True(t, first.in())
	require.NotContains(t, first.calls(remote.CreateSignInLink).body, "once")
	for range 100 {
		require.Equal(t, http.StatusSeeOther, s.visitor().post("/manage/in", "account", s.user, "key", s.key).status)
	}
	last := s.visitor().signIn()
	require.Len(t, regexp.MustCompile(`name="session" value=`).FindAllString(last.get("/manage/sessions").body, -1), 100)
}

// TestALinkSignsInOnce opens one-use links: once, in time, at their own tenant, and never by a GET.
func TestALinkSignsInOnce(t *testing.T) {
	t.Parallel()
	var c *movingClock
	s := start(t, proxied, func(o *service.Options) { c = movedBy(o) })
	anna := s.account("anna", remote.Reader)
	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "b", Hosts: []string{"b.example"}}))
	link := func() string {
		return anna.must(remote.CreateSignInLink).element(t, "address")
	}
	secret := func(link string) string {
		t.Helper()
		before, secret, found := strings.Cut(link, "/manage/#once=")
		require.True(t, found)
		require.Equal(t, s.http.URL, before)
		return secret
	}
	v := s.visitor()
	one := secret(link())
	for _, path := range []string{"/manage/?once=" + one, "/manage/link?link=" + one, "/manage/in?link=" + one} {
		v.get(path)
		require.Empty(t, v.cookies)
	}
	at := s.at("b.example").visitor()
	at.https = true
	require.Equal(t, http.StatusForbidden, at.post("/manage/link", "link", one).status, "of another tenant")
	require.Equal(t, http.StatusSeeOther, v.post("/manage/link", "link", one).status)
	require.Contains(t, v.get("/manage/table").body, "anna")
	again := s.visitor()
	require.Equal(t, http.StatusForbidden, again.post("/manage/link", "link", one).status)
	require.Empty(t, again.cookies)
	for _, value := range v.cookies { // nor is the session's own secret a link, or a link a session
		require.Equal(t, http.StatusForbidden, again.post("/manage/link", "link", value.Value).status)
		again.cookies[value.Name] = &http.Cookie{Name: value.Name, Value: secret(link())}
		require.False(t, again.in())
	}
	late := secret(link())
	c.move(2*time.Minute + time.Second)
	require.Equal(t, http.StatusForbidden, again.post("/manage/link", "link", late).status)
	revoked := secret(link())
	testrun.Must(s.admin().RotateAccount("default", "anna", time.Hour))(t)
	require.Equal(t, http.StatusForbidden, again.post("/manage/link", "link", revoked).status, "the key changed")
}
