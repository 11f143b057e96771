package apitest

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// visit sends a GET to an address that is no operation.
func (s *server) visit(path string) reply {
	s.t.Helper()
	resp := testrun.Must(http.Get(s.http.URL + path))(s.t)
	defer resp.Body.Close()
	body := testrun.Must(io.ReadAll(resp.Body))(s.t)
	return reply{status: resp.StatusCode, header: resp.Header, body: string(body)}
}

// timed returns a server with a clock that the test sets.
func timed(t *testing.T) (s *server, set func(string)) {
	var now atomic.Int64
	set = func(text string) {
		at := testrun.Must(time.Parse(time.DateTime, text))(t)
		now.Store(at.Unix())
	}
	set("2031-05-04 10:00:00")
	s = imported(t, func(o *service.Options) { o.Now = func() time.Time { return time.Unix(now.Load(), 0) } })
	return s, set
}

func TestPaperPage(t *testing.T) {
	t.Parallel()
	s := imported(t)
	r := s.visit("/garden/Spring-2031/")
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, "text/html; charset=utf-8", r.header.Get("Content-Type"))
	require.Equal(t, "no-cache", r.header.Get("Cache-Control"))
	require.Contains(t, r.body, `<html lang="de" `)
	require.Contains(t, r.body, ` bgcolor="#ffeedd"`)
	require.Contains(t, r.body, "<title>Spring 2031</title>")
	require.Contains(t, r.body, "Spring is here. Rakes from 9.")
	require.Contains(t, r.body, "ÜBER   Blumen\nund &lt;Beete&gt; &amp; 100% ]]&gt;")
	require.Contains(t, s.visit("/pumps/old/rain/").body, `<html lang="en" `)

	req := testrun.Must(http.NewRequest(http.MethodHead, s.http.URL+"/garden/spring-2031/", nil))(t)
	head := s.do(req)
	require.Equal(t, http.StatusOK, head.status)
	require.Empty(t, head.body)
	req.Method = http.MethodPost
	require.Equal(t, http.StatusMethodNotAllowed, s.do(req).status)
	for _, path := range []string{"/nothing/", "/nothing", "/garden/spring-2031/x/", "/garden//", "/%2e%2e/", "/garden/%ff/"} {
		require.Equal(t, http.StatusNotFound, s.visit(path).status, path)
		require.Equal(t, http.StatusNotFound, s.visit(path+"?SecurityToken=x").status, path)
	}
}

// TestPageWithoutItsSlash checks that an address without its final slash redirects to the one
// with it, if that exists and may be seen.
func TestPageWithoutItsSlash(t *testing.T) {
	t.Parallel()
	s, set := timed(t)
	look := func(path string) reply {
		t.Helper()
		req := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+path, nil))(t)
		resp, err := http.DefaultTransport.RoundTrip(req) // follows no redirect
		require.NoError(t, err)
		defer resp.Body.Close()
		return reply{status: resp.StatusCode, header: resp.Header}
	}
	for _, path := range []string{"/garden/spring-2031", "/GARDEN/Spring-2031", "//garden/spring-2031"} {
		r := look(path)
		require.Equal(t, http.StatusPermanentRedirect, r.status, path)
		require.Equal(t, http.StatusOK, s.visit(path).status, "the address %q leads to the page", r.header.Get("Location"))
	}
	require.Equal(t, "garden/", look("/garden").header.Get("Location"))
	require.Equal(t, "no-cache", look("/garden").header.Get("Cache-Control"))
	token := s.must(remote.CreatePreviewToken, "paperID", s.must(remote.GetPaperIDFromUrl, "url", "/garden/spring-2031/").attribute(t, "id"), "validityMinutes", "90", "ip", "").element(t, "token")
	preview := look("/garden/spring-2031?SecurityToken=" + token)
	require.Equal(t, http.StatusPermanentRedirect, preview.status)
	require.Contains(t, preview.header.Get("Location"), token)
	require.Equal(t, "private, no-store", preview.header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", preview.header.Get("Referrer-Policy"))
	require.Equal(t, "rain/?x=%2F&y", look("/pumps/old/rain?x=%2F&y").header.Get("Location"))
	set("2031-01-01 00:00:00")
	require.Equal(t, http.StatusNotFound, look("/garden/spring-2031").status, "not published yet")
	require.Equal(t, http.StatusNotFound, look("/nothing").status)

	s = start(t, func(o *service.Options) { o.BasePath = "/a/b" })
	req, err := http.NewRequest(http.MethodPost, s.http.URL+"/a/b//V2/Paper.asmx/CreatePaper", strings.NewReader(
		s.credentials(remote.CreatePaper).Encode()+"&parentID=1&name=z&urlName=z"))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	made := s.do(req)
	require.Equal(t, remote.Success, made.code, "an additional slash is accepted")
	s.fill(made.attribute(t, "id"))
	require.Equal(t, "b/", look("/a/b").header.Get("Location"))
	require.Equal(t, "z/", look("/a/b/z").header.Get("Location"))
	require.Equal(t, http.StatusOK, s.visit("/a/b/z").status)
	require.Equal(t, http.StatusNotFound, look("/a").status)
	require.Equal(t, http.StatusNotFound, look("/a/bz").status)
}

// storeSetting stores a value without the checks of the service, as old versions did.
func (s *server) storeSetting(node int64, name, value string) {
	s.t.Helper()
	db := s.place().Beside(s.t)
	require.NoError(s.t, db.Write(s.t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.SetSetting(node, name, value) }))
}

// TestPageSettingsAreHarmless checks that the value of a setting cannot become markup.
func TestPageSettingsAreHarmless(t *testing.T) {
	t.Parallel()
	s := imported(t)
	s.storeSetting(6, "language", `en" onload="x`)
	s.storeSetting(6, "backgroundColor", `red; } </style><script>`)
	r := s.visit("/pumps/old/rain/")
	require.Contains(t, r.body, `<html lang="en" `)
	require.NotContains(t, r.body, "bgcolor")
	require.NotContains(t, r.body, "onload")
	require.NotContains(t, r.body, "<script>")
	s.must(remote.SetSetting, "paperID", "6", "setting", "backgroundColor", "value", "red")
	require.Contains(t, s.visit("/pumps/old/rain/").body, ` bgcolor="red"`)
}

func TestPageHonoursThePeriod(t *testing.T) {
	t.Parallel()
	s, set := timed(t)
	for now, status := range map[string]int{
		"2031-02-28 00:00:00": 404, "2031-03-01 05:59:59": 404, "2031-03-01 06:00:00": 200, "2031-05-31 21:59:59": 200, "2031-05-31 22:00:00": 404,
	} {
		set(now)
		require.Equal(t, status, s.visit("/garden/spring-2031/").status, now)
		require.Equal(t, 200, s.visit("/pumps/old/rain/").status, "a paper without a period is always visible")
	}
	s.must(remote.ClearPublicationPeriod, "paperID", "3")
	require.Equal(t, 200, s.visit("/garden/spring-2031/").status)
}

func TestPageByPreviewToken(t *testing.T) {
	t.Parallel()
	s, set := timed(t)
	set("2031-01-01 00:00:00")
	token := func(paper, minutes, ip string) string {
		t.Helper()
		return s.must(remote.CreatePreviewToken, "paperID", paper, "validityMinutes", minutes, "ip", ip).element(t, "token")
	}
	page := func(token string) reply {
		t.Helper()
		return s.visit("/garden/spring-2031/?SecurityToken=" + token)
	}
	good := token("3", "60", "")
	r := page(good)
	require.Equal(t, 200, r.status)
	require.Contains(t, r.body, "Rakes from 9.")
	require.Equal(t, "private, no-store", r.header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", r.header.Get("Referrer-Policy"))
	require.Equal(t, 404, s.visit("/garden/spring-2031/").status)
	require.Equal(t, 200, page(token("3", "60", "127.0.0.1")).status)
	require.Equal(t, 200, page(token("3", "60", "::ffff:127.0.0.1")).status)

	for name, bad := range map[string]string{
		"unknown": "0d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a950", "empty": "", "no GUID": "x", "of another paper": token("6", "60", ""),
		"for another address": token("3", "60", "203.0.113.7"), "for another IPv6 address": token("3", "60", "::1"),
	} {
		r := page(bad)
		require.Equal(t, http.StatusUnauthorized, r.status, name)
		require.NotEmpty(t, r.header.Get("WWW-Authenticate"))
		require.NotContains(t, r.body, "Spring", name)
	}
	set("2031-01-01 00:59:59")
	require.Equal(t, 200, page(good).status)
	set("2031-01-01 01:00:00")
	require.Equal(t, http.StatusUnauthorized, page(good).status, "the token has expired")

	// Tokens survive a move and a change of address, but not the deletion of their paper.
	good = token("3", "60", "")
	s.must(remote.MovePaper, "sourcePaperID", "3", "destinationParentID", "4")
	s.must(remote.ChangePaperUrl, "paperID", "3", "newUrl", "new")
	require.Equal(t, 404, page(good).status)
	require.Equal(t, 200, s.visit("/pumps/new/?SecurityToken="+good).status)
}

// TestCategoryPage checks that the page of a category lists only the visible nodes below it.
func TestCategoryPage(t *testing.T) {
	t.Parallel()
	s, set := timed(t)
	s.category("1", "empty")
	root := s.visit("/")
	require.Equal(t, 200, root.status)
	require.Contains(t, root.body, `<li class="category"><a href="garden/"><b></b><bdi>Garden tools</bdi> <span lang="en">Category</span></a>`)
	require.Contains(t, root.body, `<a href="pumps/"><b></b><bdi>pumps</bdi> <span`)
	require.NotContains(t, root.body, "empty")
	require.Contains(t, s.visit("/garden/").body, `<li><a href="spring-2031/"><b></b><bdi>Spring 2031</bdi> <time `)
	require.Contains(t, s.visit("/pumps/").body, `<a href="old/"><b></b><bdi>old</bdi> <span`)
	require.Equal(t, 404, s.visit("/empty/").status)
	set("2031-01-01 00:00:00")
	require.Equal(t, 404, s.visit("/garden/").status)
	require.NotContains(t, s.visit("/").body, "Garden")
}

func TestPageBelowABasePath(t *testing.T) {
	t.Parallel()
	s := imported(t, func(o *service.Options) { o.BasePath = "/papers/v1" })
	require.Equal(t, 200, s.visit("/papers/v1/garden/spring-2031/").status)
	require.Equal(t, 404, s.visit("/garden/spring-2031/").status)
}
