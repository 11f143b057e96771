package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// walked is the tree as Walk visits it, and as WalkVersions does.
func walked(t require.TestingT, s store.Store, from int64) (plain, versions []string) {
	require.NoError(t, s.Read(context.Background(), func(tx store.Reader) error {
		require.NoError(t, tx.Walk(from, func(n store.Node, depth int) error {
			plain = append(plain, fmt.Sprint(depth, withoutVersion(n)))
			return nil
		}))
		return tx.WalkVersions(from, func(n store.Node, depth int) error {
			versions = append(versions, fmt.Sprint(depth, n))
			return nil
		})
	}))
	return plain, versions
}

func withoutVersion(n store.Node) store.Node {
	n.Version, n.Edition, n.NotPublic = 0, 0, false
	return n
}

// modelled returns the same as walked, computed from the nodes in the order that Walk
// promises.
func modelled(nodes []store.Node, top store.Node, depth int) (plain, versions []string) {
	plain, versions = []string{fmt.Sprint(depth, withoutVersion(top))}, []string{fmt.Sprint(depth, top)}
	var children []store.Node
	for _, n := range nodes {
		if n.Parent == top.ID {
			children = append(children, n)
		}
	}
	slices.SortFunc(children, func(a, b store.Node) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(rules.Fold(a.Name), rules.Fold(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	for _, n := range children {
		p, v := modelled(nodes, n, depth+1)
		plain, versions = append(plain, p...), append(versions, v...)
	}
	return plain, versions
}

// walkIsTheTree compares walks with the list of nodes, while nodes are added, moved, changed and
// deleted.
func walkIsTheTree(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	number := 0
	rapid.Check(t, func(t *rapid.T) {
		number++
		var nodes []store.Node
		require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
			nodes = grown(t, tx, fmt.Sprint("tenant ", number))
			return nil
		}))
		for _, n := range nodes {
			plain, versions := walked(t, s, n.ID)
			wantPlain, wantVersions := modelled(nodes, n, 0)
			require.Equal(t, wantPlain, plain)
			require.Equal(t, wantVersions, versions)
		}
	})
}

// grown adds a tenant and returns its nodes after random changes.
func grown(t *rapid.T, tx store.Writer, name string) []store.Node {
	_, err := tx.AddTenant(store.Tenant{Name: name, RootURL: "/"})
	require.NoError(t, err)
	tenant, err := tx.TenantByName(name)
	require.NoError(t, err)
	root, err := tx.Node(tenant.ID, tenant.Root)
	require.NoError(t, err)
	nodes := []store.Node{root}
	own := map[int64]bool{} // the values of the setting public
	names := rapid.SampledFrom([]string{"b", "B", "a", "Ä", "ä", "z/y", "1/2/3/", "", "-5", "x\n"})
	kinds := rapid.SampledFrom([]remote.NodeKind{remote.CategoryNode, remote.PaperNode})
	times := rapid.Int64Range(-9e9, 9e9)
	for i := range rapid.IntRange(1, 40).Draw(t, "steps") {
		at := &nodes[rapid.IntRange(0, len(nodes)-1).Draw(t, "at")]
		switch step := rapid.IntRange(0, 6).Draw(t, "step"); {
		case step == 0:
			at.Period = remote.Period{From: time.Unix(times.Draw(t, "from"), 0).UTC(), To: time.Unix(times.Draw(t, "to"), 0).UTC()}
			setNode(t, tx, at)
		case step == 1 && at.Parent != 0:
			at.Parent, at.Name = tenant.Root, names.Draw(t, "new name")
			setNode(t, tx, at)
		case step == 2 && at.Kind == remote.PaperNode:
			before := at.Edition
			at.Edition, err = tx.Accept(at.ID, store.Accepted{Job: "job"})
			require.NoError(t, err)
			require.NotEqual(t, before, at.Edition)
		case step == 3:
			own[at.ID] = rapid.Bool().Draw(t, "public")
			require.NoError(t, tx.SetSetting(at.ID, store.PublicSetting, strconv.FormatBool(own[at.ID])))
		case at.Kind == remote.CategoryNode:
			n := store.Node{Tenant: tenant.ID, Parent: at.ID, Kind: kinds.Draw(t, "kind"), Name: names.Draw(t, "name"), URLName: fmt.Sprint("u-", i)}
			id, err := tx.AddNode(n)
			require.NoError(t, err)
			n, err = tx.Node(tenant.ID, id)
			require.NoError(t, err)
			nodes = append(nodes, n)
		}
	}
	for i := range nodes { // a parent comes before its children, unless a move went to the root, which comes first
		public, has := own[nodes[i].ID]
		nodes[i].NotPublic = has && !public || !has && nodes[max(0, indexOf(nodes, nodes[i].Parent))].NotPublic
	}
	return nodes
}

func indexOf(nodes []store.Node, id int64) int {
	return slices.IndexFunc(nodes, func(n store.Node) bool { return n.ID == id })
}

// setNode changes a node and notes its new version.
func setNode(t *rapid.T, tx store.Writer, n *store.Node) {
	before := n.Version
	var err error
	n.Version, err = tx.SetNode(*n)
	require.NoError(t, err)
	require.NotEqual(t, before, n.Version)
}

// walkLeaves checks that Walk skips what a visit leaves, and visits everything else.
func walkLeaves(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	number := 0
	rapid.Check(t, func(t *rapid.T) {
		number++
		var root int64
		require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
			root = grown(t, tx, fmt.Sprint("tenant ", number))[0].ID
			return nil
		}))
		leave := map[int64]int{} // by node: the depth to leave, if any
		var want, got []int64
		require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
			left := -1
			err := tx.Walk(root, func(n store.Node, depth int) error {
				if left >= 0 && depth > left {
					return nil
				}
				left = -1
				want = append(want, n.ID)
				if rapid.IntRange(0, 3).Draw(t, "leave") == 0 {
					left = rapid.IntRange(0, depth).Draw(t, "depth")
					leave[n.ID] = left
				}
				return nil
			})
			require.NoError(t, err)
			return tx.Walk(root, func(n store.Node, _ int) error {
				got = append(got, n.ID)
				if at, ok := leave[n.ID]; ok {
					return store.Leave(at)
				}
				return nil
			})
		}))
		require.Equal(t, want, got)
	})
}

func walkThroughADeepTree(t *testing.T, open Open) {
	const depth = 200
	s := open(t)
	var root int64
	require.NoError(t, s.Write(context.Background(), store.AllTenants, func(tx store.Writer) error {
		id, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		require.NoError(t, err)
		k, err := tx.TenantByName("a")
		require.NoError(t, err)
		root = k.Root
		for at, i := root, 0; i < depth; i++ {
			if at, err = tx.AddNode(store.Node{Tenant: id, Parent: at, Kind: remote.CategoryNode, Name: "c", URLName: "c"}); err != nil {
				return err
			}
		}
		return nil
	}))
	plain, _ := walked(t, s, root)
	require.Len(t, plain, depth+1)
}
