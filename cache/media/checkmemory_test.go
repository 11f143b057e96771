package media

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"paperfs/cache/content/tree"
)

// facts are what a store knows about a node apart from the node itself.
type facts struct {
	root            bool // it is media/ itself
	found           bool // the store finds it by its service id
	mayBeFinalizing bool // a goroutine may be finalizing closed content
}

// invariant is a condition on a node and its content (nil if it has none) while both are
// locked.
type invariant struct {
	words string
	met   func(n *tree.Node, b *tree.Body, f facts) bool
}

var invariants = []invariant{
	{"a node has no name exactly if it is apart", func(n *tree.Node, _ *tree.Body, f facts) bool {
		return f.root || (n.Parent == nil) == (n.State() == tree.Orphan)
	}},
	{"its directory lists it under its name", func(n *tree.Node, _ *tree.Body, _ facts) bool {
		return n.Parent == nil || n.Parent.Children[n.Name] == n
	}},
	{"its queue entry matches its state", func(n *tree.Node, _ *tree.Body, _ facts) bool {
		return (n.Queued() == (n.Delivery != nil) || !n.Queued() && n.Dirty()) && (n.Delivery == nil || n.Delivery.Node == n)
	}},
	{"scratch is not at the service", func(n *tree.Node, _ *tree.Body, _ facts) bool {
		return !n.Local() || !n.AtService()
	}},
	{"a published file is indexed by its service id", func(n *tree.Node, _ *tree.Body, f facts) bool {
		return n.Parent == nil || n.Latest().ID == 0 || n.PDF != nil || f.found
	}},
	{"a version of others is noted only for a file with other content here", func(n *tree.Node, _ *tree.Body, _ facts) bool {
		return n.Parent == nil || n.Theirs.ID == 0 || n.Dirty() || n.Blank
	}},
	{"a version of others is one of the file that its content was begun on, if it was", func(n *tree.Node, _ *tree.Body, _ facts) bool {
		return n.Parent == nil || n.Theirs.ID == 0 || n.Pub.ID == 0 || n.Pub.ID == n.Theirs.ID
	}},
	{"only a node without a name has its last path", func(n *tree.Node, _ *tree.Body, _ facts) bool {
		return n.Lost == "" || n.State() == tree.Orphan
	}},
	{"a queued file has a durable spool", func(n *tree.Node, _ *tree.Body, _ facts) bool {
		return n.Delivery == nil || n.Kind != File || !n.Queued() || n.Delivery.Spool != 0
	}},
	{"the queued content of a pending file is its current content", func(n *tree.Node, b *tree.Body, _ facts) bool {
		return n.Kind != File || n.State() != tree.Pending || b.AllQueued() && b.Pending.Serial == n.Delivery.Spool
	}},
	{"a rewritten file has queued content apart from its newer content", func(n *tree.Node, b *tree.Body, _ facts) bool {
		return n.State() != tree.Rewritten || b.Pending != nil && b.Pending != b.Spool && b.Pending.Serial == n.Delivery.Spool
	}},
	{"its row names its newest spool", func(n *tree.Node, b *tree.Body, _ facts) bool {
		return n.Kind != File || b.Spool == nil || n.State() == tree.Orphan || b.Spool.Serial == n.Draft
	}},
	{"dirty content is open or being finalized", func(n *tree.Node, _ *tree.Body, f facts) bool {
		return n.State() != tree.Dirty || n.Handles > 0 || n.Delivery != nil || f.mayBeFinalizing
	}},
}

// check returns the inconsistencies in memory. A change in progress makes some temporarily.
func (s *Store) check() error {
	s.Mu.RLock()
	nodes := slices.Collect(maps.Values(s.Nodes))
	var wrong []error
	for _, item := range append(s.Outbox.List(), s.PDFQueue.List()...) {
		if item.Key.Node.Delivery != item.Key {
			wrong = append(wrong, fmt.Errorf("%q is in the queue, but its node is not queued", item.Key.Node.Path()))
		}
	}
	s.Mu.RUnlock()
	for _, n := range nodes {
		wrong = append(wrong, s.checkNode(n)...)
	}
	return errors.Join(wrong...)
}

func (s *Store) checkNode(n *tree.Node) (wrong []error) {
	var b *tree.Body
	if n.Kind == File {
		b = n.Body()
		b.Mu.RLock()
		defer b.Mu.RUnlock()
	}
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	if s.Nodes[n.Ino] != n {
		return nil
	}
	f := facts{root: n == s.Root, found: s.Files[n.Latest().ID] == n, mayBeFinalizing: !s.SettledLocked() || s.Closed || !s.Outbox.Idle() || !s.PDFQueue.Idle()}
	for _, r := range invariants {
		if !r.met(n, b, f) {
			wrong = append(wrong, fmt.Errorf("inode %d (%q, state %s) violates: %s", n.Ino, n.Path(), n.State(), r.words))
		}
	}
	return wrong
}
