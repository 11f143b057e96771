package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// filled creates a paper that has one page.
func (s *server) filled(category, name string) (id string) {
	s.t.Helper()
	id = s.paper(category, name)
	s.fill(id)
	return id
}

// fill gives a paper one page.
func (s *server) fill(paper string) {
	s.t.Helper()
	s.beside(paper, func(tx store.Writer, id int64) error { return tx.ReplacePages(id, []store.Page{{Number: 1}}) })
}

// TestShelfHasNoPapersWithoutPages checks that neither papers without pages nor categories that have
// no others are on a shelf, that their own addresses say what is the matter, and that the web service
// lists all of them as before.
func TestShelfHasNoPapersWithoutPages(t *testing.T) {
	t.Parallel()
	s := start(t)
	shelf := s.category(s.root(), "shelf")
	s.paper(shelf, "made")
	s.paper(s.category(shelf, "below"), "made-below")
	require.Equal(t, 404, s.visit("/shelf/").status, "it has no paper with pages")
	s.filled(shelf, "good")
	page := s.visit("/shelf/")
	require.Equal(t, 200, page.status)
	require.Equal(t, []string{"good"}, listed(page))
	require.NotContains(t, page.body, "made")
	require.NotContains(t, page.body, "below")
	own := s.visit("/shelf/made/")
	require.Equal(t, 200, own.status)
	require.Contains(t, own.body, "This paper has no pages yet.")
	for _, name := range []string{"made", "made-below", "good"} {
		require.Contains(t, s.must(remote.GetAllPapers, "paperID", s.root()).body, `"`+name+`"`)
	}
}
