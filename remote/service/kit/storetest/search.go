package storetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// aSearchHasTheHitsOfItsTree searches phrases with characters that an engine may interpret, in
// a tree small enough to compare page by page and in one that is too large for that.
func aSearchHasTheHitsOfItsTree(t *testing.T, open Open) {
	s := open(t)
	texts := []string{"Pumps and pipes", "100%_sure", `a\b`, "日本語の本", "x", "", "the quick  brown\nfox", "ÄÖÜ straße",
		"Immo\u00adbilien\u00ad\nmakler \ufb01el Montre\u0301al", "It’s \uff2fpen 1914–18, don‑t"}
	const papers = 700 // of ten pages each
	var tenant store.Tenant
	var category, lone int64
	require.NoError(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		id, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		require.NoError(t, err)
		tenant, err = tx.Tenant(id)
		require.NoError(t, err)
		category, err = tx.AddNode(store.Node{Tenant: id, Parent: tenant.Root, Kind: remote.CategoryNode, Name: "c", URLName: "c"})
		require.NoError(t, err)
		for i := range papers {
			parent := tenant.Root
			if i == 0 {
				parent = category
			}
			paper, err := tx.AddNode(store.Node{Tenant: id, Parent: parent, Kind: remote.PaperNode, Name: "p", URLName: fmt.Sprint("p", i)})
			require.NoError(t, err)
			var pages []store.Page
			for n, text := range texts {
				if i > 1 {
					text = fmt.Sprint("nothing ", i)
				}
				pages = append(pages, store.Page{Number: n + 1, Text: text})
			}
			require.NoError(t, tx.ReplacePages(paper, pages))
			if i == 0 {
				lone = paper
			}
		}
		return nil
	}))
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		for phrase, want := range map[string][]int{
			"PIPES": {1}, "%": {2}, "%_s": {2}, "_": {2}, `\`: {3}, `a\b`: {3}, "本": {4}, "日本語": {4}, "本語の": {4}, "x": {5, 7}, "quick brown": {7}, "k b": {7},
			"äöü": {8}, "umps and pip": {1}, "pumps pipes": nil, "aab": nil, "100x": nil,
			"immobilienmakler": {9}, "MAKLER FIEL": {9}, "MONTRÉAL": {9}, "é": {9}, "montreal": nil, "it's open": {10}, "‘S Ｏ": {10}, "1914-18": {10}, "don-t": {10}, "n‐t": {10},
		} {
			for _, at := range []int64{tenant.Root, category, lone} {
				found, err := tx.PagesContaining(at, store.Phrase(phrase))
				require.NoError(t, err)
				require.Equal(t, want, found[lone], "%q at %d", phrase, at)
				if at != tenant.Root {
					require.LessOrEqual(t, len(found), 1)
				}
			}
		}
		return nil
	}))
}
