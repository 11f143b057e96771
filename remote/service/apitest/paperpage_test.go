package apitest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// paperOf creates a public paper with these texts as its pages.
func (s *server) paperOf(name string, texts ...string) {
	id := s.paper(s.root(), name)
	db := s.place().Beside(s.t)
	require.NoError(s.t, db.Write(s.t.Context(), store.AllTenants, func(tx store.Writer) error {
		var all []store.Page
		for i, text := range texts {
			all = append(all, store.Page{Number: i + 1, Text: text})
		}
		var node int64
		if _, err := fmt.Sscan(id, &node); err != nil {
			return err
		}
		return tx.ReplacePages(node, all)
	}))
}

// TestPaperPageIsBounded checks that one address shows a limited number of pages, with a limited
// amount of text, and links to the others, and that both pages of a spread share an address.
func TestPaperPageIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	page := func(path string) string {
		t.Helper()
		r := s.visit(path)
		require.Equal(t, http.StatusOK, r.status)
		require.Contains(t, r.body, "</html>", "the document is complete")
		return r.body
	}
	s.paperOf("many", make([]string, 2001)...)
	for path, want := range map[string]struct {
		pages            int
		has, next, back  string
		notNext, notBack bool
	}{
		"/many/":           {pages: 999, has: "p999", next: "./?Page=1000", notBack: true},
		"/many/?Page=1000": {pages: 1000, has: "p1999", next: "./?Page=2000", back: "./?Page=1"},
		"/many/?Page=2000": {pages: 2, has: "p2001", notNext: true, back: "./?Page=1000"},
	} {
		body := page(path)
		require.Equal(t, want.pages, strings.Count(body, "<article"), path)
		require.Contains(t, body, `id="`+want.has+`"`)
		for link, text := range map[string]string{want.next: "More pages", want.back: "Earlier pages"} {
			if link == "" {
				continue
			}
			require.Contains(t, body, `<a href="`+link+`">`+text, path)
		}
		require.Equal(t, !want.notNext, strings.Contains(body, "More pages"), path)
		require.Equal(t, !want.notBack, strings.Contains(body, "Earlier pages"), path)
	}
	look := testrun.Must(http.Get(s.http.URL + "/many/?Page=1717"))(t)
	look.Body.Close()
	require.Equal(t, "Page=1000&Sharp=1712#p1717", look.Request.URL.RawQuery+"#"+look.Request.URL.Fragment)

	half := strings.Repeat("x", 1<<19)
	s.paperOf("large", half, half, "no more", "")
	require.Equal(t, 2, strings.Count(page("/large/"), `class="later"`), "the text view has the rest")
	large := page("/large/?View=text")
	require.Equal(t, 4, strings.Count(large, "<article"))
	require.Equal(t, 1<<20, strings.Count(large, "x")-strings.Count(strings.ReplaceAll(large, half, ""), "x"))
	require.Equal(t, 1, strings.Count(large, "the paper has too much of it"))
	require.NotContains(t, large, "no more")
	require.Contains(t, large, "This page has no text.")
}
