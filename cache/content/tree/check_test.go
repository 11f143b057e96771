package tree

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/spool"
)

// file returns a published file in a directory.
func file() *Node {
	n := NewNode(3, inode.File)
	NewNode(inode.Root, inode.Directory).Attach("a", n)
	n.Pub.ID = 7
	return n
}

// queued returns a file that is queued with its spool.
func queued() *Node {
	n := file()
	n.On(Enqueued)
	n.Own().Delivery = &Delivery{Node: n, Spool: 4}
	sp := &spool.File{Serial: 4}
	n.Body().Spool, n.Body().Pending = sp, sp
	n.Draft = 4
	return n
}

// TestInconsistentNodesAreFound checks that each invariant is seen to be broken, and that a sound
// node has no fault.
func TestInconsistentNodesAreFound(t *testing.T) {
	sound := Facts{Found: true}
	for name, c := range map[string]struct {
		make  func() *Node
		facts Facts
		words string
	}{
		"clean":              {file, sound, ""},
		"queued":             {queued, sound, ""},
		"open":               {func() *Node { n := file(); n.On(Written); n.Own().Handles = 1; return n }, sound, ""},
		"ending":             {func() *Node { n := file(); n.On(Written); return n }, Facts{Found: true, MayBeFinalizing: true}, ""},
		"removed":            {func() *Node { n := file(); n.On(Parted); n.Detach(); return n }, sound, ""},
		"nameless":           {func() *Node { n := file(); n.Detach(); return n }, sound, "no name exactly if it is apart"},
		"not removed":        {func() *Node { n := file(); n.On(Parted); return n }, sound, "no name exactly if it is apart"},
		"not listed":         {func() *Node { n := file(); delete(n.Parent.Children, "a"); return n }, sound, "lists it under its name"},
		"not queued":         {func() *Node { n := file(); n.On(Enqueued); return n }, sound, "queue entry matches its state"},
		"of another":         {func() *Node { n := queued(); n.Delivery.Node = file(); return n }, sound, "queue entry matches its state"},
		"hidden":             {func() *Node { n := file(); n.On(Hidden); return n }, sound, "scratch is not at the service"},
		"not found":          {file, Facts{}, "indexed by its service id"},
		"lost":               {func() *Node { n := file(); n.Own().Lost = "a"; return n }, sound, "only a node without a name has its last path"},
		"no spool":           {func() *Node { n := queued(); n.Delivery.Spool = 0; return n }, sound, "a queued file has a durable spool"},
		"other content":      {func() *Node { n := queued(); n.Body().Spool = &spool.File{Serial: 5}; return n }, sound, "pending file is its current content"},
		"rewritten in place": {func() *Node { n := queued(); n.On(Written); return n }, sound, "apart from its newer content"},
		"another spool":      {func() *Node { n := queued(); n.Draft = 3; return n }, sound, "names its newest spool"},
		"left dirty":         {func() *Node { n := file(); n.On(Written); return n }, sound, "dirty content is open or being finalized"},
	} {
		n := c.make()
		wrong := CheckNode(n, n.Body(), c.facts)
		if c.words == "" {
			require.Empty(t, wrong, name)
			continue
		}
		require.NotEmpty(t, wrong, name)
		require.ErrorContains(t, wrong[0], c.words, name)
	}
}

// TestQueueEntriesBelongToTheirNode checks that an entry is found which its node does not know.
func TestQueueEntriesBelongToTheirNode(t *testing.T) {
	n := queued()
	items := []outbox.Item[*Delivery]{{Key: n.Delivery}}
	require.Empty(t, CheckQueue(items))
	n.Extra = &Extra{}
	require.Len(t, CheckQueue(items), 1)
}
