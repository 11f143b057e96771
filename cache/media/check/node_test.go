package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// file returns a published file in a directory.
func file() *tree.Node {
	n := tree.NewNode(3, inode.File)
	tree.NewNode(inode.Root, inode.Directory).Attach("a", n)
	n.Pub.ID = 7
	return n
}

// queued returns a file that is queued with its spool.
func queued() *tree.Node {
	n := file()
	n.On(tree.Enqueued)
	n.Own().Delivery = &tree.Delivery{Node: n, Spool: 4}
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
		make  func() *tree.Node
		facts Facts
		words string
	}{
		"clean":              {file, sound, ""},
		"queued":             {queued, sound, ""},
		"open":               {func() *tree.Node { n := file(); n.On(tree.Written); n.Own().Handles = 1; return n }, sound, ""},
		"ending":             {func() *tree.Node { n := file(); n.On(tree.Written); return n }, Facts{Found: true, MayBeFinalizing: true}, ""},
		"removed":            {func() *tree.Node { n := file(); n.On(tree.Parted); n.Detach(); return n }, sound, ""},
		"nameless":           {func() *tree.Node { n := file(); n.Detach(); return n }, sound, "no name exactly if it is apart"},
		"not removed":        {func() *tree.Node { n := file(); n.On(tree.Parted); return n }, sound, "no name exactly if it is apart"},
		"not listed":         {func() *tree.Node { n := file(); delete(n.Parent.Children, "a"); return n }, sound, "lists it under its name"},
		"not queued":         {func() *tree.Node { n := file(); n.On(tree.Enqueued); return n }, sound, "queue entry matches its state"},
		"of another":         {func() *tree.Node { n := queued(); n.Delivery.Node = file(); return n }, sound, "queue entry matches its state"},
		"hidden":             {func() *tree.Node { n := file(); n.On(tree.Hidden); return n }, sound, "scratch is not at the service"},
		"not found":          {file, Facts{}, "indexed by its service id"},
		"lost":               {func() *tree.Node { n := file(); n.Own().Lost = "a"; return n }, sound, "only a node without a name has its last path"},
		"no spool":           {func() *tree.Node { n := queued(); n.Delivery.Spool = 0; return n }, sound, "a queued file has a durable spool"},
		"other content":      {func() *tree.Node { n := queued(); n.Body().Spool = &spool.File{Serial: 5}; return n }, sound, "pending file is its current content"},
		"rewritten in place": {func() *tree.Node { n := queued(); n.On(tree.Written); return n }, sound, "apart from its newer content"},
		"another spool":      {func() *tree.Node { n := queued(); n.Draft = 3; return n }, sound, "names its newest spool"},
		"left dirty":         {func() *tree.Node { n := file(); n.On(tree.Written); return n }, sound, "dirty content is open or being finalized"},
	} {
		n := c.make()
		wrong := Node(n, n.Body(), c.facts)
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
	items := []outbox.Item[*tree.Delivery]{{Key: n.Delivery}}
	require.Empty(t, Queue(items))
	n.Extra = &tree.Extra{}
	require.Len(t, Queue(items), 1)
}
