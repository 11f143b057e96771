package catalogue

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// requireNodes is requireSame for many nodes.
func requireNodes(t *testing.T, want []remote.Node, s *Snapshot) {
	t.Helper()
	require.NoError(t, s.base.check())
	require.NoError(t, s.checkOverlay())
	var got []remote.Node
	s.Walk(s.Root().ID, func(n remote.Node) bool {
		got = append(got, n)
		return true
	})
	require.True(t, slices.Equal(want, got), "another tree")
	for _, n := range want {
		byID, _ := s.Node(n.ID)
		byURL, _ := s.ByURL(n.URL)
		if byID != n || byURL != n {
			require.Fail(t, "not found", "%+v", n)
		}
	}
}

// TestTreeThatDidNotChangeIsNotKeptTwice checks that a fetch of an equal tree keeps the
// current one.
func TestTreeThatDidNotChangeIsNotKeptTwice(t *testing.T) {
	nodes := nodesOf(5_000)
	old := build(t, nodes, nil)
	requireNodes(t, nodes, old)
	require.Same(t, old.base, build(t, nodes, old).base)

	changed, _ := scheduled(nodes[2].ID, remote.Period{From: epoch, To: epoch.AddDate(1, 0, 0)})(old)
	require.Same(t, old.base, build(t, nodes, changed).base, "the change was undone")
	nodes[2].Period = canonical(remote.Period{From: epoch, To: epoch.AddDate(1, 0, 0)})
	new := build(t, nodes, changed)
	require.NotSame(t, old.base, new.base)
	requireNodes(t, nodes, new)
}

// TestTreesShareTheirText checks that, of two trees that differ little, the second takes only
// the text that the first lacks.
func TestTreesShareTheirText(t *testing.T) {
	nodes := nodesOf(5_000)
	old := build(t, nodes, nil)
	for i := range 4 {
		changed := slices.Clone(nodes)
		changed[3_000].Name = "Another name " + itoa(i)
		changed = slices.DeleteFunc(changed, func(n remote.Node) bool { return n.Kind == remote.PaperNode && n.ID%50 == int64(i) })
		new := build(t, changed, old)
		requireNodes(t, changed, new)
		require.Less(t, new.base.text.bytes(), old.base.text.bytes()+100)
		old, nodes = new, changed
	}
	requireNodes(t, nodes, old.compact())
}

// TestTextOfFormerNodesGoes checks that old names of nodes do not stay in memory forever.
func TestTextOfFormerNodesGoes(t *testing.T) {
	nodes := nodesOf(2_000)
	var s *Snapshot
	for round := range 8 {
		for i := range nodes {
			nodes[i].Name = strings.Repeat("a long name ", 50) + itoa(round*i)
		}
		s = build(t, nodes, s)
		require.LessOrEqual(t, s.base.text.bytes(), 3*s.base.used+pieceSize)
	}
	requireNodes(t, nodes, s)
}

// TestBuilderBeginsAnew checks that an answer that broke off leaves nothing.
func TestBuilderBeginsAnew(t *testing.T) {
	nodes := nodesOf(5_000)
	for _, old := range []*Snapshot{nil, build(t, nodes[:4_000], nil)} {
		b := newBuilder(old, epoch)
		for _, n := range append(slices.Clone(nodes[:4_500]), nodes...) {
			require.NoError(t, b.add(n))
		}
		base, err := b.finish()
		require.NoError(t, err)
		requireNodes(t, nodes, newSnapshot(base, epoch))
	}
}
