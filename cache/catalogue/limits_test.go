package catalogue

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestSiblingsOfOneAddressAreFoundAtOnce checks that looking up an address visits one node,
// however many siblings share it.
func TestSiblingsOfOneAddressAreFoundAtOnce(t *testing.T) {
	const siblings = 20_000
	nodes := []remote.Node{{ID: 1, Kind: remote.CategoryNode, URL: "/"}}
	for id := int64(2); id < siblings; id++ {
		nodes = append(nodes, remote.Node{ID: id, Parent: 1, Kind: remote.PaperNode, Name: itoa(int(id)), URL: "/same/"})
	}
	nodes = append(nodes, remote.Node{ID: siblings, Parent: 1, Kind: remote.PaperNode, Name: "other", URL: "/other/"})
	s := build(t, nodes, nil)
	require.Len(t, s.base.byEnding, siblings-1)
	for segment, id := range map[string]int64{"same": 2, "other": siblings} {
		met := 0
		s.base.byEnding.each(hashEnding(0, segment), func(node int32) bool {
			met++
			return s.base.ending(node) != segment
		})
		require.Equal(t, 1, met, segment)
		found, _ := s.ByURL("/" + segment + "/")
		require.Equal(t, id, found.ID)
	}
	s, _ = readdressed(2, "moved")(s)
	found, _ := s.ByURL("/same/")
	require.Equal(t, int64(3), found.ID, "the next node with that address")
}

// TestIndexEndsWithItsContext checks that ending the program waits neither for the rest of a
// tree nor for its indexes.
func TestIndexEndsWithItsContext(t *testing.T) {
	var cancelled *remote.Error
	ended, end := context.WithCancel(ctx)
	b := newBuilder(nil, epoch)
	b.ctx = ended
	nodes := nodesOf(10_000)
	for _, n := range nodes {
		require.NoError(t, b.add(n))
	}
	end()
	_, err := b.finish()
	require.ErrorAs(t, err, &cancelled)
	require.Equal(t, remote.Cancelled, cancelled.Kind)
	require.Nil(t, b.base.byEnding)
	require.Nil(t, b.base.byName)
	require.Negative(t, b.base.find(1))

	b = newBuilder(nil, epoch)
	b.ctx = ended
	require.ErrorAs(t, b.add(nodes[0]), &cancelled)
	require.Equal(t, remote.Cancelled, cancelled.Kind)
}

// TestTreeBeyondItsBoundIsRefusedAndTheOneBeforeStays checks that a refused tree does not
// replace the current one, and that local changes still work.
func TestTreeBeyondItsBoundIsRefusedAndTheOneBeforeStays(t *testing.T) {
	for words, most := range map[string]limits{
		"more than 6 nodes":           {nodes: 6},
		"more than 512 KiB of memory": {memory: 1 << 20 / 2},
	} {
		f := newFake(smallTree())
		x := open(t, f)
		x.limits = most
		require.NoError(t, x.Refresh(ctx), words)
		s := x.Peek()
		for id := range int64(20) {
			f.m.nodes[100+id] = remote.Node{ID: 100 + id, Parent: 5, Kind: remote.PaperNode, Name: strings.Repeat(itoa(int(id)), 30_000), URL: "/b/" + itoa(int(id)) + "/"}
		}
		err := x.Refresh(ctx)
		require.ErrorContains(t, err, words)
		require.ErrorContains(t, err, "--root-url")
		require.ErrorContains(t, x.Status().LastError, words)
		require.Same(t, s, x.Peek())
		_, err = x.Create(ctx, remote.CategoryNode, 1, "New")
		require.NoError(t, err)
		require.Equal(t, s.Len()+1, x.Peek().Len())
	}
}

// TestTheMemoryOfManyNodesIsCounted checks everything of which a small answer can contain a lot.
func TestTheMemoryOfManyNodesIsCounted(t *testing.T) {
	const many = 10_000
	for name, n := range map[string]remote.Node{
		"names":     {Name: string(make([]byte, 200)), URL: "/s/"},
		"addresses": {URL: "/elsewhere/s/"},
		"nodes":     {URL: "/s/"},
	} {
		b := newBuilder(nil, epoch)
		require.NoError(t, b.add(remote.Node{ID: 1, Kind: remote.CategoryNode, URL: "/"}))
		n.Parent, n.Kind = 1, remote.PaperNode
		least := map[string]int{"names": 250, "addresses": 110, "nodes": 57}[name]
		for n.ID = 2; n.ID <= many; n.ID++ {
			require.NoError(t, b.add(n))
		}
		require.Greater(t, b.memory(), many*least, name)
	}
}
