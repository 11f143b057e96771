package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// aHeightCountsCategories checks the height of a tree whose longest branch ends with a
// paper, and that the count ends where the caller wants it to.
func aHeightCountsCategories(t *testing.T, open Open) {
	s := open(t)
	change(t, s, func(tx store.Writer) error {
		id, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		require.NoError(t, err)
		k, err := tx.Tenant(id)
		require.NoError(t, err)
		add := func(parent int64, kind remote.NodeKind, name string) int64 {
			id, err := tx.AddNode(store.Node{Tenant: id, Parent: parent, Kind: kind, Name: name, URLName: name})
			require.NoError(t, err)
			return id
		}
		one := add(k.Root, remote.CategoryNode, "one")
		add(k.Root, remote.CategoryNode, "side")
		two := add(one, remote.CategoryNode, "two")
		paper := add(two, remote.PaperNode, "p")
		for node, want := range map[int64]int{k.Root: 3, one: 2, two: 1, paper: 0} {
			height, err := tx.Height(node, 100)
			require.NoError(t, err)
			require.Equal(t, want, height)
		}
		height, err := tx.Height(k.Root, 2)
		require.Equal(t, 2, height)
		return err
	})
}
