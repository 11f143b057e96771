package media

import (
	"context"

	"paperfs/cache/media/journal"
	"paperfs/cache/media/outbox"
	"paperfs/cache/media/tree"
)

// removableLocked reports whether the name of a file may go: what the service has
// may only where deleting is allowed. s.mu must be held.
func (s *Store) removableLocked(n *tree.Node) bool { return n.Pub.ID == 0 || s.o.AllowDelete }

// cuts are files whose upload from the queue was cut for a change of their
// names.
type cuts struct {
	*Store
	nodes      []*tree.Node
	deliveries []*tree.Delivery
	sent       []*tree.Node // those of nodes of which something may be at the service
}

// stopLocked has nothing more of a delivery sent, now or later, and returns the state that
// it had; s.mu must be held.
func (s *Store) stopLocked(d *tree.Delivery) outbox.State {
	was, there := s.outbox.Cut(d)
	if there && !was.Cut() && d.Canceller.Cancel() {
		s.outbox.Interrupt(d)
	}
	return was
}

// cutLocked ends the upload of n if it is sent from the queue now, and has none begin,
// so that who changes its name need not wait until all of it is sent. Once it
// is, they wait for the answer. s.mu must be held.
func (c *cuts) cutLocked(n *tree.Node) {
	d := n.Delivery
	if n.Kind != File || d == nil {
		return
	}
	switch was := c.stopLocked(d); {
	case was.Cut():
		return
	case was.Active():
		c.sent = append(c.sent, n)
	}
	c.nodes, c.deliveries = append(c.nodes, n), append(c.deliveries, d)
}

// learn reads the tree where an upload may have had its effect before it was
// cut: then its file is a published one. Their names must be locked. Without
// an answer the file counts as what it was.
func (c *cuts) learn(ctx context.Context) {
	c.mu.RLock()
	unsure := false
	for _, n := range c.sent {
		unsure = unsure || n.Parent != nil && c.unknown.Has(journal.NameAt(n.Parent.ID, n.Name))
	}
	c.mu.RUnlock()
	if !unsure {
		return
	}
	if err := c.Refresh(ctx); err != nil {
		c.o.Log.Warn("whether an upload that was cut has had its effect cannot be looked up", "error", err)
	}
}

// resume has what is still queued sent on.
func (c *cuts) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, d := range c.deliveries {
		d.Canceller = new(tree.Canceller)
		c.outbox.Resume(d)
		c.offerLocked(c.nodes[i])
	}
}
