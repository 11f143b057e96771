package apitest

import (
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

var coverImage = regexp.MustCompile(`<img src="([^"]+)" width="\d+" height="\d+" alt=""`)

// covers returns the addresses of a shelf's covers, as written on the page.
func covers(page reply) (all []string) {
	for _, found := range coverImage.FindAllStringSubmatch(page.body, -1) {
		all = append(all, strings.ReplaceAll(found[1], "&amp;", "&"))
	}
	return all
}

// TestShelfShowsCovers checks that a shelf shows the covers of papers, and for a category that of
// its first paper, at any depth. Everyone who sees the shelf can see them, and an unchanged shelf
// gets a 304.
func TestShelfShowsCovers(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	set := func(text string) {
		at := testrun.Must(time.Parse(time.DateTime, text))(t)
		now.Store(at.Unix())
	}
	set("2031-05-04 10:00:00")
	s := start(t, func(o *service.Options) {
		o.BasePath, o.Now = "/base", func() time.Time { return time.Unix(now.Load(), 0) }
	})
	s.http.URL += "/base"
	shelf := s.category(s.root(), "shelf")
	deep := s.category(s.category(shelf, "a"), "b")
	document := pdftest.Document([]pdftest.Sheet{{Text: "One"}, {Text: "Two"}})
	inside, open := s.paper(deep, "inside"), s.paper(shelf, "open")
	for _, paper := range []string{inside, open} {
		s.process(paper, document, "")
	}
	hidden := s.paper(shelf, "hidden")
	s.process(hidden, document, "")
	s.must(remote.SetPublicationPeriod, "paperID", hidden, "from", "2020-01-01", "to", "2021-01-01")
	s.must(remote.SetPublicationPeriod, "paperID", inside, "from", "2031-01-01", "to", "2031-06-01")
	at := s.http.URL + "/shelf/"
	page := s.get(at)
	require.Equal(t, 200, page.status)
	found := covers(page)
	require.Len(t, found, 2)
	require.True(t, strings.HasPrefix(found[0], "a/b/inside/Image.ashx?PageID="), found[0])
	require.True(t, strings.HasPrefix(found[1], "open/Image.ashx?PageID="), found[1])
	for _, cover := range found {
		require.Equal(t, 200, s.get(at+cover).status, cover)
	}
	require.NotContains(t, page.body, ">hidden<")
	require.Contains(t, page.body, `href="../reader/shelf.`)
	tag := page.header.Get("ETag")
	require.NotEmpty(t, tag)
	require.Equal(t, "no-cache", page.header.Get("Cache-Control"))
	require.Contains(t, page.header.Get("Content-Security-Policy"), "default-src 'none'")
	for _, again := range []struct {
		what   string
		change func()
		same   bool
	}{
		{"nothing", func() {}, true},
		{"a paper that is hidden", func() { s.must(remote.ChangePaperUrl, "paperID", hidden, "newUrl", "dark") }, true},
		{"another cover", func() { s.process(open, document, "") }, false},
		{"another name of a category", func() { s.must(remote.ChangePaperUrl, "paperID", deep, "newUrl", "c") }, false},
		{"a setting", func() { s.must(remote.SetSetting, "paperID", shelf, "setting", "language", "value", "de") }, false},
		{"the end of a period", func() { set("2031-06-01 00:00:00") }, false},
	} {
		again.change()
		r := s.get(at, "If-None-Match", tag)
		want := http.StatusOK
		if again.same {
			want = http.StatusNotModified
		}
		require.Equal(t, want, r.status, again.what)
		tag = r.header.Get("ETag")
	}
	require.Len(t, covers(s.get(at)), 1, "the category is empty now")
	require.Equal(t, 404, s.get(at+"a/").status)
}

// TestShelfTellsNothingOfWhatIsHidden checks that a category with nothing public is answered like
// one that does not exist, even with a token for a paper in it: a token opens only its paper.
func TestShelfTellsNothingOfWhatIsHidden(t *testing.T) {
	t.Parallel()
	s := start(t)
	shelf := s.category(s.root(), "shelf")
	hidden := s.paper(shelf, "hidden")
	s.process(hidden, pdftest.Document([]pdftest.Sheet{{Text: "One"}}), "")
	s.must(remote.SetPublicationPeriod, "paperID", hidden, "from", "2020-01-01", "to", "2021-01-01")
	s.category(shelf, "empty")
	token := s.must(remote.CreatePreviewToken, "paperID", hidden, "validityMinutes", "60", "ip", "").element(t, "token")
	for _, path := range []string{"/shelf/", "/shelf", "/shelf/?SecurityToken=" + token, "/shelf/?SecurityToken=x", "/shelf/empty/", "/", "/shelf/?Page=2"} {
		r, none := s.visit(path), s.visit(strings.Replace(path, "shelf", "nothing", 1)) // the page depends on the depth of its address
		require.Equal(t, 404, r.status, path)
		require.Equal(t, none.body, r.body, path)
		for name := range none.header {
			if name != "Date" && name != "Request-Id" {
				require.Equal(t, none.header.Get(name), r.header.Get(name), "%s %s", path, name)
			}
		}
		require.Len(t, r.header, len(none.header), path)
	}
	require.Equal(t, 200, s.visit("/shelf/hidden/?SecurityToken="+token).status)
	open := s.filled(shelf, "open")
	r := s.visit("/shelf/?ForceLanguage=de&SecurityToken=" + token)
	require.Equal(t, 200, r.status)
	require.NotContains(t, r.body, token)
	require.NotContains(t, r.body, "hidden")
	require.Contains(t, r.body, `<a href="open/?ForceLanguage=de"><b></b><bdi>open</bdi></a>`)
	require.NotEmpty(t, open)
}

// TestShelfOfATenant checks that a host shows only the papers of its own tenant, below the tenant's
// root.
func TestShelfOfATenant(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.filled(s.root(), "ours")
	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}, RootURL: "/acme/"}))
	key := testrun.Must(s.admin().AddAccount("acme", "editor", remote.Editor))(t)
	acme := s.as("editor", key).at("acme.example")
	root := acme.must(remote.GetPaperIDFromUrl, "url", "/acme/").attribute(t, "id")
	look := func(path string) reply {
		req := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+path, nil))(t)
		return acme.do(req)
	}
	require.Equal(t, 404, look("/acme/").status, "the tenant has no papers yet")
	acme.process(acme.paper(root, "theirs"), pdftest.Document([]pdftest.Sheet{{Text: "One"}}), "")
	page := look("/acme/")
	require.Equal(t, 200, page.status)
	require.Equal(t, []string{"theirs"}, listed(page))
	require.Equal(t, 200, look("/acme/"+covers(page)[0]).status)
	require.Equal(t, []string{"ours"}, listed(s.visit("/")))
}
