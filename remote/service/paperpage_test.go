package service_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// paperOf makes a public paper of pages with these texts.
func (s *server) paperOf(name string, texts ...string) {
	id := s.paper(s.root(), name)
	db, err := sqlitestore.OpenExisting(s.t.Context(), filepath.Join(s.data, "service.db"))
	require.NoError(s.t, err)
	defer db.Close()
	require.NoError(s.t, db.Write(s.t.Context(), func(tx store.Writer) error {
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

// TestPaperPageIsBounded: of a paper of any length so much is shown, and a word
// where that is not all.
func TestPaperPageIsBounded(t *testing.T) {
	s := start(t)
	page := func(name string) string {
		t.Helper()
		r := s.visit("/" + name + "/")
		require.Equal(t, http.StatusOK, r.status)
		require.Contains(t, r.body, "</html>", "the document is whole")
		return r.body
	}
	const word = "The page ends here"
	texts := make([]string, 1001)
	s.paperOf("many", texts...)
	many := page("many")
	require.Equal(t, 1000, strings.Count(many, "<section"))
	require.Contains(t, many, word)
	s.paperOf("thousand", texts[:1000]...)
	thousand := page("thousand")
	require.Equal(t, 1000, strings.Count(thousand, "<section"))
	require.NotContains(t, thousand, word)

	half := strings.Repeat("x", 1<<19)
	s.paperOf("large", half, half, "no more")
	large := page("large")
	require.Equal(t, 2, strings.Count(large, "<section"))
	require.Contains(t, large, word)
	s.paperOf("full", half, half)
	require.NotContains(t, page("full"), word)
	s.paperOf("one", strings.Repeat("ä", 1<<20), "no more")
	one := page("one")
	require.Equal(t, 1<<19, strings.Count(one, "ä"), "no character is cut")
	require.Equal(t, 1, strings.Count(one, "<section"))
	require.Contains(t, one, word)
}
