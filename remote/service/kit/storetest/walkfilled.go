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

// walkFilledTellsOfPages compares WalkFilled with Walk over random trees, of which both leave the same
// parts: it visits the first of the same nodes, and tells which papers below the top have pages, and which nodes are not public.
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
			leaves := map[int64]store.Leave{} // the depths that the walk leaves after a node
			for range rapid.IntRange(0, 3).Draw(t, "leaves") {
				n := rapid.SampledFrom(nodes).Draw(t, "left")
				leaves[n.ID] = store.Leave(rapid.IntRange(1, 3).Draw(t, "depth"))
			}
			var want, got []string
			visit := func(all *[]string, n store.Node, depth int) error {
				*all = append(*all, fmt.Sprint(depth, withoutVersion(n)))
				if at, found := leaves[n.ID]; found && int(at) <= depth {
					return at
				}
				return nil
			}
			require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
				if err := tx.Walk(top.ID, func(n store.Node, depth int) error { return visit(&want, n, depth) }); err != nil {
					return err
				}
				err := tx.WalkVersions(top.ID, func(n store.Node, _ int) error {
					require.Equal(t, map[bool]int{true: 2}[filled[n.ID]], n.Pages, n)
					return nil
				})
				require.NoError(t, err)
				return tx.WalkFilled(top.ID, most, func(n store.Node, depth int) error {
					require.Equal(t, depth > 0 && filled[n.ID], n.Pages > 0, n)
					require.Equal(t, nodes[indexOf(nodes, n.ID)].NotPublic, n.NotPublic, n)
					n.Pages = 0
					return visit(&got, n, depth)
				})
			}))
			require.Equal(t, want[:min(most, len(want))], got)
		}
	})
}

// walkFilledGoesOn checks that papers that a walk leaves do not count: it leaves each of three
// categories after so many papers.
func walkFilledGoesOn(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	var tenant store.Tenant
	require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		id, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		require.NoError(t, err)
		tenant, err = tx.Tenant(id)
		require.NoError(t, err)
		for _, name := range []string{"a", "b", "c"} {
			category, err := tx.AddNode(store.Node{Tenant: id, Parent: tenant.Root, Kind: remote.CategoryNode, Name: name, URLName: name})
			require.NoError(t, err)
			for i := range 5 {
				_, err := tx.AddNode(store.Node{Tenant: id, Parent: category, Kind: remote.PaperNode, Name: fmt.Sprint(i), URLName: fmt.Sprint(i)})
				require.NoError(t, err)
			}
		}
		return nil
	}))
	for papers := 1; papers <= 5; papers++ {
		visit := func(all *[]string) func(n store.Node, depth int) error {
			seen := map[int64]int{}
			return func(n store.Node, depth int) error {
				*all = append(*all, fmt.Sprint(depth, n))
				if seen[n.Parent]++; depth == 2 && seen[n.Parent] == papers {
					return store.Leave(1)
				}
				return nil
			}
		}
		require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
			var want []string
			require.NoError(t, tx.Walk(tenant.Root, visit(&want)))
			require.Len(t, want, 4+3*papers)
			for most := 1; most <= len(want)+1; most++ {
				var got []string
				v := visit(&got)
				require.NoError(t, tx.WalkFilled(tenant.Root, most, v))
				require.Equal(t, want[:min(most, len(want))], got, "%d nodes, %d papers of a category", most, papers)
			}
			return nil
		}))
	}
}
