package tree

import (
	"fmt"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/outbox"
)

// Facts are what a store knows about a node apart from the node itself.
type Facts struct {
	Root            bool // it is media/ itself
	Found           bool // the store finds it by its service id
	MayBeFinalizing bool // a goroutine may be finalizing closed content
}

// invariant is a condition on a node and its content (nil if it has none) while both are
// locked.
type invariant struct {
	words string
	met   func(n *Node, b *Body, f Facts) bool
}

var invariants = []invariant{
	{"a node has no name exactly if it is apart", func(n *Node, _ *Body, f Facts) bool {
		return f.Root || (n.Parent == nil) == (n.State() == Apart)
	}},
	{"its directory lists it under its name", func(n *Node, _ *Body, _ Facts) bool {
		return n.Parent == nil || n.Parent.Children[n.Name] == n
	}},
	{"its queue entry matches its state", func(n *Node, _ *Body, _ Facts) bool {
		return (n.Queued() == (n.Delivery != nil) || !n.Queued() && n.Dirty()) && (n.Delivery == nil || n.Delivery.Node == n)
	}},
	{"scratch is not at the service", func(n *Node, _ *Body, _ Facts) bool {
		return !n.Local() || !n.AtService()
	}},
	{"a published file is indexed by its service id", func(n *Node, _ *Body, f Facts) bool {
		return n.Parent == nil || n.Latest().ID == 0 || n.PDF != nil || f.Found
	}},
	{"a version of others is noted only for a file with other content here", func(n *Node, _ *Body, _ Facts) bool {
		return n.Parent == nil || n.Theirs.ID == 0 || n.Dirty() || n.Blank
	}},
	{"a version of others is one of the file that its content was begun on, if it was", func(n *Node, _ *Body, _ Facts) bool {
		return n.Parent == nil || n.Theirs.ID == 0 || n.Pub.ID == 0 || n.Pub.ID == n.Theirs.ID
	}},
	{"only a node without a name has its last path", func(n *Node, _ *Body, _ Facts) bool {
		return n.Lost == "" || n.State() == Apart
	}},
	{"a queued file has a durable spool", func(n *Node, _ *Body, _ Facts) bool {
		return n.Delivery == nil || n.Kind != inode.File || !n.Queued() || n.Delivery.Spool != 0
	}},
	{"the queued content of a pending file is its current content", func(n *Node, b *Body, _ Facts) bool {
		return n.Kind != inode.File || n.State() != Pending || b.AllQueued() && b.Pending.Serial == n.Delivery.Spool
	}},
	{"a rewritten file has queued content apart from its newer content", func(n *Node, b *Body, _ Facts) bool {
		return n.State() != Rewritten || b.Pending != nil && b.Pending != b.Spool && b.Pending.Serial == n.Delivery.Spool
	}},
	{"its row names its newest spool", func(n *Node, b *Body, _ Facts) bool {
		return n.Kind != inode.File || b.Spool == nil || n.State() == Apart || b.Spool.Serial == n.Draft
	}},
	{"dirty content is open or being finalized", func(n *Node, _ *Body, f Facts) bool {
		return n.State() != Dirty || n.Handles > 0 || n.Delivery != nil || f.MayBeFinalizing
	}},
}

// CheckNode returns the inconsistencies of a node with its content, nil if it has none.
func CheckNode(n *Node, b *Body, f Facts) (wrong []error) {
	for _, r := range invariants {
		if !r.met(n, b, f) {
			wrong = append(wrong, fmt.Errorf("inode %d (%q, state %s) violates: %s", n.Ino, n.Path(), n.State(), r.words))
		}
	}
	return wrong
}

// CheckQueue returns the queue entries that do not belong to their node.
func CheckQueue(items []outbox.Item[*Delivery]) (wrong []error) {
	for _, item := range items {
		if item.Key.Node.Delivery != item.Key {
			wrong = append(wrong, fmt.Errorf("%q is in the queue, but its node is not queued", item.Key.Node.Path()))
		}
	}
	return wrong
}
