package apitest

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// link adds links to a paper as an import does.
func (s *server) link(paper string, links ...store.Link) {
	s.t.Helper()
	s.beside(paper, func(tx store.Writer, id int64) error { return tx.ReplaceLinks(id, links) })
}

// beside changes a paper directly in the store.
func (s *server) beside(paper string, change func(tx store.Writer, id int64) error) {
	s.t.Helper()
	id, ok := rules.ID(paper)
	require.True(s.t, ok)
	db := s.place().Beside(s.t)
	require.NoError(s.t, db.Write(s.t.Context(), store.AllTenants, func(tx store.Writer) error { return change(tx, id) }))
}

// TestAReaderIsAskedForOnce checks that a browser that has a paper's page gets a 304 until
// something shown on it changes.
func TestAReaderIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s, _, one, two := published(t)
	tag := func(path string) string {
		t.Helper()
		r := s.get(s.http.URL + path)
		require.Equal(t, http.StatusOK, r.status)
		require.Regexp(t, `^W/"[\w-]{24}"$`, r.header.Get("ETag"))
		require.Equal(t, "no-cache", r.header.Get("Cache-Control"))
		return r.header.Get("ETag")
	}
	before := tag("/one/")
	same := func() {
		t.Helper()
		r := s.get(s.http.URL+"/one/", "If-None-Match", before)
		require.Equal(t, http.StatusNotModified, r.status)
		require.Empty(t, r.body)
	}
	changed := func() {
		t.Helper()
		now := tag("/one/")
		require.NotEqual(t, before, now)
		before = now
	}
	same()
	require.NotEqual(t, before, tag("/two/"))
	require.NotEqual(t, before, tag("/one/?View=text"))
	require.NotEqual(t, before, tag("/one/?ForceLanguage=de"))
	s.must(remote.SetSetting, "paperID", two, "setting", "language", "value", "da")
	same()
	for name, value := range map[string]string{"language": "fr", "backgroundColor": "red", "maxZoom": "200", "pageLayout": "single", "iconPrint": "false", "autoMaximize": "true"} {
		s.must(remote.SetSetting, "paperID", one, "setting", name, "value", value)
		changed()
		same()
	}
	s.process(one, pdftest.Text("first & foremost", "second"), "")
	changed()
	s.link(one, store.Link{Page: 1, Width: 1, Height: 1, LinkType: "url", URL: "https://example.org/"})
	changed()
	s.link(one, store.Link{Page: 1, Width: 1, Height: 1, LinkType: "url", URL: "https://example.org/", AltText: "other"})
	changed()
	same()
	s.must(remote.ChangePaperUrl, "paperID", one, "newUrl", "uno")
	require.NotEqual(t, before, tag("/uno/"))
	s.must(remote.SetPublicationPeriod, "paperID", one, "from", "2030-01-01", "to", "2030-01-02")
	require.Equal(t, http.StatusNotFound, s.get(s.http.URL+"/uno/", "If-None-Match", "*").status, "a paper whose period has ended is not found")
}

// TestAReaderIsCompressed checks that pages and assets are sent with gzip, and with Vary, so that
// caches keep both forms apart.
func TestAReaderIsCompressed(t *testing.T) {
	t.Parallel()
	s, _, _, _ := published(t)
	for _, path := range []string{"/one/", "/", assetPath(t, s, "css"), assetPath(t, s, "js")} {
		req := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+path, nil))(t)
		req.Header.Set("Accept-Encoding", "gzip")
		r := s.do(req)
		require.Equal(t, "gzip", r.header.Get("Content-Encoding"), path)
		require.Equal(t, "Accept-Encoding", r.header.Get("Vary"))
		zip := testrun.Must(gzip.NewReader(strings.NewReader(r.body)))(t)
		whole := testrun.Must(io.ReadAll(zip))(t)
		require.Equal(t, s.visit(path).body, string(whole), path)
	}
}

var assetAddress = regexp.MustCompile(`"([./]*reader/[a-z]+\.[0-9a-f]{12}\.(css|js|svg))"`)

// assetPath returns the path of an asset that a page names.
func assetPath(t *testing.T, s *server, kind string) string {
	t.Helper()
	for _, found := range assetAddress.FindAllStringSubmatch(s.visit("/one/").body, -1) {
		if found[2] == kind {
			return strings.TrimPrefix(found[1], "..")
		}
	}
	t.Fatalf("no %s", kind)
	return ""
}

// TestAssetsAreKept checks that caches may keep an asset for a year, because its address changes
// with its content, and that a category may have the same name as the assets' directory.
func TestAssetsAreKept(t *testing.T) {
	t.Parallel()
	s, _, _, _ := published(t)
	r := s.visit(assetPath(t, s, "css"))
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, "text/css; charset=utf-8", r.header.Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", r.header.Get("Cache-Control"))
	require.Equal(t, "nosniff", r.header.Get("X-Content-Type-Options"))
	js := s.visit(assetPath(t, s, "js"))
	require.Equal(t, "text/javascript; charset=utf-8", js.header.Get("Content-Type"))
	require.Equal(t, http.StatusNotFound, s.visit("/reader/reader.css").status)
	require.Equal(t, http.StatusNotFound, s.visit(assetPath(t, s, "css")+"/").status)
	post := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+assetPath(t, s, "css"), nil))(t)
	require.Equal(t, http.StatusMethodNotAllowed, s.do(post).status)

	s.filled(s.category("1", "shelf"), "reader")
	require.Equal(t, http.StatusOK, s.visit("/shelf/").status)
	require.Equal(t, http.StatusOK, s.visit("/shelf/reader").status)
	body := s.visit("/shelf/reader/").body
	require.Contains(t, body, `href="../../reader/`)
}

// searchEngines matches what a page says to search engines, which is data and runs nowhere.
var searchEngines = regexp.MustCompile(`<script type="application/ld\+json">([^<]*)</script>`)

// TestTheReadersPolicy checks that the markup has no inline script or style, and that the policy
// allows nothing from other hosts.
func TestTheReadersPolicy(t *testing.T) {
	t.Parallel()
	s, _, _, _ := published(t)
	for _, path := range []string{"/one/", "/"} {
		r := s.visit(path)
		require.Equal(t, view.Policy{}.String(), r.header.Get("Content-Security-Policy"))
		require.NotContains(t, view.Policy{Export: "https://x", Style: "x", Media: []string{"x"}}.String(), "unsafe")
		require.Equal(t, "strict-origin-when-cross-origin", r.header.Get("Referrer-Policy"))
		require.Equal(t, "same-origin", r.header.Get("Cross-Origin-Opener-Policy"))
		require.NotEmpty(t, r.header.Get("Permissions-Policy"))
		require.NotRegexp(t, ` style=| on[a-z]+=|<style|<script[^>]*>[^<]`, searchEngines.ReplaceAllString(r.body, ""))
	}
}

// TestLinksAreHotspots checks the markup of every kind of link.
func TestLinksAreHotspots(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	file := s.upload("0", "price list.txt", "x")
	s.link(one,
		store.Link{Page: 1, X: .25, Y: .5, Width: .5, Height: .25, LinkType: "url", URL: "https://example.org/?a=1&b=2", AltText: "Shop & more"},
		store.Link{Page: 1, Width: 1, Height: 1, LinkType: "url", URL: "/two/", Target: "_self"},
		store.Link{Page: 1, Width: 1, Height: 1, LinkType: "page", URL: "#p2"},
		store.Link{Page: 1, Width: 1, Height: 1, LinkType: "mail", URL: "info@example.org"},
		store.Link{Page: 1, Width: 1, Height: 1, LinkType: "mail", URL: "mailto:shop@example.org"},
		store.Link{Page: 1, Width: 1, Height: 1, LinkType: "url", URL: "tel:+49-30-1"},
		store.Link{Page: 1, Width: 1, Height: 1, LinkType: "file", FileID: file},
		store.Link{Page: 2, Width: 1, Height: 1, LinkType: "shopitem", Param: `<item><name>Rake</name><price>29.25</price><descr>Steel &amp; wood</descr><id>RK-7</id></item>`},
		store.Link{Page: 2, Width: 1, Height: 1, LinkType: "url", URL: "https://example.org/p", ShapeType: "polygon", PolygonCoords: "0.1,0.1 0.9,0.1 0.5,0.75"},
		store.Link{Page: 2, Width: 1, Height: 1, LinkType: "url", URL: "javascript:alert(1)", AltText: "evil"},
		store.Link{Page: 2, Width: 1, Height: 1, LinkType: "file", FileID: "999999", AltText: "gone"},
		store.Link{Page: 2, Width: 1, Height: 1, LinkType: "page", URL: "elsewhere", AltText: "nowhere"},
		store.Link{Page: 7, Width: 1, Height: 1, LinkType: "url", URL: "https://example.org/", AltText: "no page"},
	)
	body := s.visit("/one/").body
	for _, want := range []string{
		`<a href="https://example.org/?a=1&amp;b=2" aria-label="Shop &amp; more" target="_blank" rel="noopener"><title>Shop &amp; more</title><rect x="141.3" y="400" width="282.5" height="200"/></a>`,
		`<a href="/two/" aria-label="/two/"><title>`,
		`<a href="#p2" aria-label="Page 2"><title>`,
		`<a href="mailto:info@example.org" aria-label="info@example.org"><title>`,
		`<a href="mailto:shop@example.org" aria-label="shop@example.org"><title>`,
		`<a href="tel:&#43;49-30-1" aria-label="&#43;49-30-1"><title>`,
		`<a href="../media/` + file + `/price%20list.txt" aria-label="price list.txt" target="_blank" rel="noopener">`,
		`<a href="#p2i1" aria-label="Rake" data-item><title>Rake</title>`,
		`<section class="item" id="p2i1"><h4 dir="auto">Rake</h4><p class="price" dir="auto">29.25</p><p dir="auto">Steel &amp; wood</p></section>`,
		`<polygon points="56.5,80 508.5,80 282.5,600"/>`,
	} {
		require.Contains(t, body, want)
	}
	for _, not := range []string{"javascript", "evil", "gone", "nowhere", "no page", "Zgotmpl"} {
		require.NotContains(t, body, not)
	}
	require.Equal(t, http.StatusOK, s.visit("/media/"+file+"/price%20list.txt").status)
}

// TestLinksAreBounded checks that broken links count toward the bound, and that links of other
// pages do not.
func TestLinksAreBounded(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	s.setPaperPage(4, 1<<20)
	s.inside().Reader.Paper.Links = 3
	gone := store.Link{Page: 1, Width: 1, Height: 1, LinkType: "file", FileID: "999999"}
	other := store.Link{Page: 4, Width: 1, Height: 1, LinkType: "url", URL: "https://example.org/other"}
	within, beyond := other, other
	within.Page, within.URL = 2, "https://example.org/within"
	beyond.Page, beyond.URL = 1, "https://example.org/beyond"
	s.link(one, gone, gone, other, other, within, beyond)
	body := s.visit("/one/").body
	require.Contains(t, body, within.URL)
	require.NotContains(t, body, beyond.URL)
	require.NotContains(t, body, other.URL)
}

// TestAPageThatIsNotThereLeadsToTheFirst checks that a page number that the paper lacks shows its
// first page, even if a longer paper would have a part that begins with that page.
func TestAPageThatIsNotThereLeadsToTheFirst(t *testing.T) {
	t.Parallel()
	s, _, _, _ := published(t)
	s.setPaperPage(4, 1<<20)
	for _, page := range []string{"3", "4", "5", "8", "-1", "0", "x"} {
		resp := testrun.Must(http.Get(s.http.URL + "/one/?ForceLanguage=de&Page=" + page))(t)
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, resp.StatusCode, page)
		require.Contains(t, string(body), `id="p1"`, page)
		require.Contains(t, string(body), ">Übersicht</b></button>", page)
	}
	s.setPaperPage(2, 1<<20)
	r := s.get(s.http.URL + "/one/?Page=2")
	require.Equal(t, http.StatusOK, r.status, "page 2 begins a part, so there is no redirect")
	require.Contains(t, r.body, `id="p2"`)
}

// TestParametersOfTheVendor checks the vendor's parameters: the first page with a phrase, the
// language of the buttons, and a page without navigation bars.
func TestParametersOfTheVendor(t *testing.T) {
	t.Parallel()
	s, _, _, _ := published(t)
	for query, anchor := range map[string]string{
		"GoToFirstSearchResult=second":                                           "p2",
		"GoToAndHighlightFirstSearchResult=SECOND":                               "p2",
		"GoToAndHighlightFirstSearchResult=second&GoToFirstSearchResult=first":   "p2",
		"GoToFirstSearchResult=first+%26+foremost":                               "",
		"GoToFirstSearchResult=nothing&Page=2":                                   "",
		"GoToFirstSearchResult=":                                                 "",
		"Page=2&ForceLanguage=de&HideNavigationBars=true&ipforward_campaign=abc": "p2",
	} {
		resp := testrun.Must(http.Get(s.http.URL + "/one/?" + query))(t)
		resp.Body.Close()
		require.Equal(t, http.StatusOK, resp.StatusCode, query)
		require.Equal(t, anchor, resp.Request.URL.Fragment, query)
	}
	require.Contains(t, s.visit("/one/?ForceLanguage=de-AT").body, ">Übersicht</b></button>")
	require.Contains(t, s.visit("/one/?ForceLanguage=de-AT").body, `<html lang="en" `, "the paper's own language stays")
	require.Contains(t, s.visit("/one/?ForceLanguage=%22x").body, ">Overview</b></button>")
	require.Contains(t, s.visit("/one/?ForceLanguage=sv").body, ">Overview</b></button>")
	require.Contains(t, s.visit("/one/?HideNavigationBars=true").body, ` class="shaped spread bare"`)
	require.NotContains(t, s.visit("/one/?HideNavigationBars=no").body, ` bare"`)
}

// TestAddressesOfAPaperAreShort checks that links to other parts of a paper, of which there may be
// many, do not repeat long parameters of the request.
func TestAddressesOfAPaperAreShort(t *testing.T) {
	t.Parallel()
	s, _, _, _ := published(t)
	long := strings.Repeat("-aaaaaaaa", 400)
	body := s.visit("/one/?ForceLanguage=de" + long + "&HideNavigationBars=true" + strings.Repeat("+", 1_000)).body
	require.Contains(t, body, `href="./?ForceLanguage=de&amp;HideNavigationBars=true&amp;View=text"`)
	require.NotContains(t, body, long)
	require.Contains(t, s.visit("/one/?HideNavigationBars="+long).body, `href="./?View=text"`)
}

// TestAReaderSpeaks checks every button in all languages.
func TestAReaderSpeaks(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	for _, words := range view.Languages() {
		s.must(remote.SetSetting, "paperID", one, "setting", "language", "value", words.Tag)
		body := s.visit("/one/").body
		for _, text := range []string{words.Next, words.Overview, words.Print, words.Share, fmt.Sprintf(`aria-label="`+words.PageOf+`"`, 1, 2), `<html lang="` + words.Tag} {
			require.Contains(t, body, text)
		}
	}
	require.Len(t, view.Languages(), 6)
}

// TestAPreviewShowsItsPictures checks that a preview's token also shows its images, and that search
// engines may index neither.
func TestAPreviewShowsItsPictures(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	s.must(remote.SetPublicationPeriod, "paperID", one, "from", "2032-01-01", "to", "2033-01-01")
	token := s.must(remote.CreatePreviewToken, "paperID", one, "validityMinutes", "90", "ip", "").element(t, "token")
	r := s.visit("/one/?SecurityToken=" + token)
	require.Equal(t, http.StatusOK, r.status)
	require.Contains(t, r.body, `content="noindex"`)
	require.Contains(t, r.body, `href="./?SecurityToken=`+token+`&amp;View=text"`)
	require.NotContains(t, r.body, "og:image")
	require.Empty(t, r.header.Get("ETag"))
	source := imageSource.FindStringSubmatch(r.body)
	require.NotNil(t, source)
	require.Equal(t, http.StatusOK, s.visit("/one/"+strings.ReplaceAll(source[1], "&amp;", "&")).status)
}
