package sqlitestore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// TestTextsOfAnOlderProgramAreFound checks that texts that a program with another rule normalized are found, with and
// without the index.
func TestTextsOfAnOlderProgramAreFound(t *testing.T) {
	t.Parallel()
	s, file := openNew(t)
	var paper, root int64
	require.NoError(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		id, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		require.NoError(t, err)
		tenant, err := tx.Tenant(id)
		require.NoError(t, err)
		root = tenant.Root
		paper, err = tx.AddNode(store.Node{Tenant: id, Parent: root, Kind: remote.PaperNode, Name: "p", URLName: "p"})
		require.NoError(t, err)
		return tx.ReplacePages(paper, []store.Page{{Number: 1, Text: "other"}, {Number: 2, Text: "Montre\u0301al’s"}})
	}))
	for _, query := range []string{`UPDATE page_phrase SET phrase = 'old'`, `INSERT INTO page_index (page_index) VALUES ('delete-all')`,
		`INSERT INTO page_index (rowid, phrase) SELECT page, phrase FROM page_phrase`, `DELETE FROM goose_db_version WHERE version_id >= 29`} {
		_, err := s.writer.Exec(query)
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	s, err := Open(t.Context(), file)
	require.NoError(t, err)
	defer s.Close()
	for _, compared := range []int64{0, scanPages} {
		s.ScanPages.Store(compared)
		require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
			for phrase, want := range map[string]map[int64][]int{"montréal's": {paper: {2}}, "OTHER": {paper: {1}}, "old": {}} {
				found, err := tx.PagesContaining(root, store.Phrase(phrase))
				require.NoError(t, err)
				require.Equal(t, want, found, phrase)
			}
			return nil
		}))
	}
}
