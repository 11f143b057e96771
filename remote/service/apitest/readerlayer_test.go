package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

var pageID = regexp.MustCompile(`PageID=(\d+)`)

// pageIDs returns the ids of a paper's pages, as its page names them.
func (s *server) pageIDs(path string) (ids []string) {
	for _, found := range pageID.FindAllStringSubmatch(s.visit(path).body, -1) {
		if len(ids) == 0 || ids[len(ids)-1] != found[1] {
			ids = append(ids, found[1])
		}
	}
	return ids
}

// TestALayerTellsWhereTextLies checks that a text layer returns the positions of text to those who
// may see the paper, and that caches may keep it as they keep images.
func TestALayerTellsWhereTextLies(t *testing.T) {
	t.Parallel()
	s, set, one, _ := published(t)
	s.must(remote.SetPublicationPeriod, "paperID", one, "from", "2031-01-01", "to", "2033-01-01")
	ids, other := s.pageIDs("/one/"), s.pageIDs("/two/")
	at := "/one/Layer.ashx?PageID=" + ids[len(ids)-1]
	r := s.visit(at)
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, "application/json", r.header.Get("Content-Type"))
	require.Equal(t, "public, max-age=86400, immutable", r.header.Get("Cache-Control"))
	var lines [][5]any
	require.NoError(t, json.Unmarshal([]byte(r.body), &lines))
	require.Len(t, lines, 1)
	require.Equal(t, "second", lines[0][4])
	for _, f := range lines[0][:4] {
		require.Greater(t, f, 0.0)
		require.Less(t, f, 1.0)
	}
	plain := s.get(s.http.URL+at, "Accept-Encoding", "identity")
	require.Equal(t, r.body, plain.body)
	require.Empty(t, plain.header.Get("Content-Encoding"))
	require.Equal(t, "gzip", s.get(s.http.URL+at, "Accept-Encoding", "gzip").header.Get("Content-Encoding"))
	require.Equal(t, http.StatusNotModified, s.get(s.http.URL+at, "If-None-Match", r.header.Get("ETag")).status)

	for _, path := range []string{"/one/Layer.ashx", "/one/Layer.ashx?PageID=x", "/one/Layer.ashx?PageID=" + other[0], "/none/Layer.ashx?PageID=" + ids[0], at + "&SecurityToken=x"} {
		r := s.visit(path)
		require.Equal(t, http.StatusNotFound, r.status, path)
		require.Equal(t, "no-store", r.header.Get("Cache-Control"))
	}
	set("2034-01-01 00:00:00")
	require.Equal(t, http.StatusNotFound, s.visit(at).status, "a layer whose period has ended is not found")
	token := s.must(remote.CreatePreviewToken, "paperID", one, "validityMinutes", "90", "ip", "").element(t, "token")
	r = s.visit(at + "&SecurityToken=" + token)
	require.Equal(t, http.StatusOK, r.status)
	require.Contains(t, r.header.Get("Cache-Control"), "private, ")
}

// TestLinksOfAPDFHaveNames checks that a link is named after the text under it, preserved links
// included, and that a name set by a person stays.
func TestLinksOfAPDFHaveNames(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	const options = `<options><import-links>true</import-links><import-links-styleid>1</import-links-styleid><preserve-links>%s</preserve-links></options>`
	book := pdftest.Document([]pdftest.Sheet{{Text: "Buy a rake\nnow", URI: "https://example.org/", To: 2}, {Text: "Rakes"}})
	names := func(preserve string) []string {
		s.process(one, book, regexp.MustCompile(`%s`).ReplaceAllString(options, preserve))
		var names []string
		for _, l := range s.linksOf(one) {
			names = append(names, l.AltText)
		}
		return names
	}
	require.Equal(t, []string{"Buy a rake now", ""}, names("false"))
	links := s.linksOf(one)
	links[0].AltText = ""
	s.link(one, links...)
	require.Equal(t, []string{"Buy a rake now", ""}, names("true"), "a link from before links had names")
	links[0].AltText = "Shop"
	s.link(one, links...)
	require.Equal(t, []string{"Shop", ""}, names("true"))
}

// TestTitlesOfBookmarks checks that bookmarks become the table of contents, in their order, and
// that preserved bookmarks keep their titles.
func TestTitlesOfBookmarks(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	sheets := []pdftest.Sheet{{Text: "a"}, {Text: "b"}, {Text: "c"}}
	marks := []pdftest.Bookmark{{Title: "Second", Page: 2}, {Title: "First <1>", Page: 1}, {Title: "Again", Page: 2}}
	s.process(one, pdftest.Document(sheets, marks...), "<options><preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks></options>")
	const contents = `<ol><li><a href="#p2" data-page="2"><bdi>Second</bdi> <span>2</span></a></li><li><a href="#p1" data-page="1"><bdi>First &lt;1&gt;</bdi> <span>1</span></a></li><li><a href="#p2" data-page="2"><bdi>Again</bdi> <span>2</span></a></li></ol>`
	require.Contains(t, s.visit("/one/").body, contents)
	s.process(one, pdftest.Document(sheets[:2]), "<options><preserve-index>true</preserve-index><import-bookmarks>true</import-bookmarks></options>")
	require.Contains(t, s.visit("/one/").body, contents)
	s.process(one, pdftest.Document(sheets), "<options><preserve-index>false</preserve-index></options>")
	require.NotContains(t, s.visit("/one/").body, `id="contents"`)
}

// TestContentsHaveABound checks that the table of contents is bounded: every page of the paper
// includes all of it.
func TestContentsHaveABound(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	var marks []pdftest.Bookmark
	for n := range 5_001 {
		marks = append(marks, pdftest.Bookmark{Title: fmt.Sprintf("T%d", n), Page: 1})
	}
	s.process(one, pdftest.Document([]pdftest.Sheet{{Text: "a"}}, marks...), "<options><preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks></options>")
	body := s.visit("/one/").body
	require.Equal(t, 5_000, strings.Count(body, "<li>"))
	require.Contains(t, body, "<bdi>T0</bdi> <span>")
	require.Contains(t, body, "<bdi>T4999</bdi> <span>")
}

// linksOf reads the links of a paper directly from the store.
func (s *server) linksOf(paper string) (links []store.Link) {
	s.t.Helper()
	s.beside(paper, func(tx store.Writer, id int64) (err error) {
		links, err = tx.Links(id)
		return err
	})
	return links
}
