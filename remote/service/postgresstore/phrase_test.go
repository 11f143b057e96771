package postgresstore_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
)

// TestTextsOfAnOlderProgramAreFound checks that texts that a program with another rule normalized are found after the
// schema was brought up to date, which a node requires.
func TestTextsOfAnOlderProgramAreFound(t *testing.T) {
	t.Parallel()
	all, url := nodes(t, 1)
	k := addTenant(t, all[0], "a")
	var paper int64
	const pages = 1100 // more than are changed at a time
	require.NoError(t, all[0].Write(t.Context(), k.ID, func(tx store.Writer) (err error) {
		paper, err = tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: "p", URLName: "p"})
		require.NoError(t, err)
		texts := make([]store.Page, pages)
		for i := range texts {
			texts[i] = store.Page{Number: i + 1, Text: fmt.Sprintf("Montre\u0301al’s %d.", i+1)}
		}
		return tx.ReplacePages(paper, texts)
	}))
	c, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer c.Close(t.Context())
	for _, query := range []string{`UPDATE page_phrase SET phrase = 'old'`, `DELETE FROM goose_db_version WHERE version_id >= 13`} {
		_, err = c.Exec(t.Context(), query)
		require.NoError(t, err)
	}
	var older *postgresstore.OlderError
	_, err = postgresstore.Open(t.Context(), url)
	require.ErrorAs(t, err, &older)
	require.NoError(t, postgresstore.Migrate(t.Context(), url))
	s := open(t, url)
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		for phrase, want := range map[string]map[int64][]int{"montréal's 1.": {paper: {1}}, "'s 1100.": {paper: {pages}}, "old": {}} {
			found, err := tx.PagesContaining(k.Root, store.Phrase(phrase))
			require.NoError(t, err)
			require.Equal(t, want, found, phrase)
		}
		return nil
	}))
}
