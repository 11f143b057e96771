package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// walkFilledTellsOfPages compares WalkFilled with Walk over random trees: it visits the first of the same nodes,
// and tells which papers below the first node have pages.
func walkFilledTellsOfPages(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	number := 0
	rapid.Check(t, func(t *rapid.T) {
		number++
		var nodes []store.Node
		filled := map[int64]bool{}
		require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
			nodes = grown(t, tx, fmt.Sprint("tenant ", number))
			for _, n := range nodes {
				if n.Kind != remote.PaperNode || !rapid.Bool().Draw(t, "filled") {
					continue
				}
				filled[n.ID] = true
				if err := tx.ReplacePages(n.ID, []store.Page{{Number: 1}, {Number: 2}}); err != nil {
					return err
				}
			}
			return nil
		}))
		for _, top := range nodes {
			most := rapid.IntRange(1, len(nodes)+1).Draw(t, "most")
			var got []string
			require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
				return tx.WalkFilled(top.ID, most, func(n store.Node, depth int, has bool) error {
					got = append(got, fmt.Sprint(depth, n))
					require.Equal(t, depth > 0 && filled[n.ID], has, n)
					return nil
				})
			}))
			want := modelled(nodes, top, 0)
			require.Equal(t, want[:min(most, len(want))], got)
		}
	})
}
