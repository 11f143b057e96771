package media

import (
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// frozen is a spool at one generation, while it is being uploaded. Writes in the meantime go to
// a copy.
type frozen struct {
	store *Store
	node  *tree.Node
	spool *spool.File
	gen   uint64

	delivery *tree.Delivery // of queued content

	content *spool.Content
	sum     string // SHA-256 of a PDF that was sent

	replaced bool // it was queued, and newer content is queued durably when it thaws
}

// freeze freezes the newest content of n, creating an empty spool if there is none.
func (s *Store) freeze(n *tree.Node) (*frozen, error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Verdict().Final {
		return nil, b.Verdict().Reason
	}
	if b.Spool == nil {
		if err := s.draftEmptyBodyLocked(n); err != nil {
			return nil, err
		}
	}
	return s.freezeBodyLocked(n, b.Spool, b.Gen)
}

// freezeBodyLocked freezes a spool of n that holds generation gen; Body.Mu must be held.
func (s *Store) freezeBodyLocked(n *tree.Node, sp *spool.File, gen uint64) (*frozen, error) {
	if sp.Lack != nil {
		return nil, lacking(n.Body())
	}
	if err := s.openSpool(sp); err != nil {
		return nil, err
	}
	if s.o.Own != nil && sp.Size > smallCopy && sp.Frozen == 0 {
		sp.Seal()
	}
	sp.Frozen++
	return &frozen{store: s, node: n, spool: sp, gen: gen, content: sp.Content()}, nil
}

// lock locks the Body of the node that has f's content, and returns the node: the name of a queued
// file may have let go of the inode that was frozen.
func (f *frozen) lock() *tree.Node {
	for {
		n := f.owner()
		n.Body().Mu.Lock()
		if f.owner() == n {
			f.node = n
			return n
		}
		n.Body().Mu.Unlock()
	}
}

func (f *frozen) owner() *tree.Node {
	f.store.mu.RLock()
	defer f.store.mu.RUnlock()
	return f.ownerLocked()
}

// ownerLocked returns the node that has f's content; s.mu must be held.
func (f *frozen) ownerLocked() *tree.Node {
	if f.delivery == nil {
		return f.node
	}
	return f.delivery.Node
}

// nodeOf returns the node that has a queued content now.
func (s *Store) nodeOf(d *tree.Delivery) *tree.Node {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return d.Node
}

// thaw ends the use of f and drops its spool if nothing else needs it.
func (f *frozen) thaw() {
	b := f.lock().Body()
	defer b.Mu.Unlock()
	f.spool.Frozen--
	f.store.mu.RLock()
	queued, used := f.node.Queued(), f.node.Handles > 0
	f.store.mu.RUnlock()
	if !queued && b.Pending != f.spool {
		b.ForgetPending(&f.store.spools)
	} else if !queued {
		b.Pending = nil
	}
	if f.sum != "" && f.spool != b.Spool && f.spool != b.Pending && f.spool.Frozen == 0 {
		f.store.keepSent(f.node, f.spool, f.sum)
		return
	}
	switch unneeded := f.spool != b.Spool && f.spool != b.Pending; {
	case b.DropUnused(&f.store.spools, f.spool):
	case unneeded && f.replaced: // it is still being sent
		f.spool.Disown()
	case f.spool.Frozen == 0 && !used && !f.store.lost():
		f.spool.Close()
	}
}

// retainBodyLocked keeps the queued content of n from being dropped until release, which locks
// Body.Mu itself; Body.Mu must be held.
func (s *Store) retainBodyLocked(n *tree.Node) (release func()) {
	b := n.Body()
	if b.Pending == nil {
		return func() {}
	}
	b.Pending.Frozen++
	return (&frozen{store: s, node: n, spool: b.Pending, replaced: true}).thaw
}

// freezePending freezes the queued content of n; it returns nil if there is none.
func (s *Store) freezePending(n *tree.Node) (*frozen, error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.mu.RLock()
	queued, d := n.Queued(), n.Delivery
	s.mu.RUnlock()
	if !queued || b.Pending == nil {
		return nil, nil
	}
	f, err := s.freezeBodyLocked(n, b.Pending, b.Queued)
	if err == nil {
		f.delivery = d
	}
	return f, err
}
