package media

import (
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// frozen is a spool at one generation, while it is being uploaded. Writes in the meantime go to
// a copy.
type frozen struct {
	store *Store
	node  *tree.Node
	body  *tree.Body // of node
	spool *spool.File
	gen   uint64

	content *spool.Content
}

// freeze freezes the newest content of n, creating an empty spool if there is none.
func (s *Store) freeze(n *tree.Node) (*frozen, error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Verdict.Final {
		return nil, b.Verdict.Reason
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
	if err := sp.Open(); err != nil {
		return nil, err
	}
	sp.Frozen++
	return &frozen{store: s, node: n, body: n.Body(), spool: sp, gen: gen, content: sp.Content()}, nil
}

// thaw ends the use of f and drops its spool if nothing else needs it.
func (f *frozen) thaw() {
	f.body.Mu.Lock()
	defer f.body.Mu.Unlock()
	f.spool.Frozen--
	f.store.mu.RLock()
	queued, used := f.node.Queued(), f.node.Handles > 0
	f.store.mu.RUnlock()
	if !queued && f.body.Pending != f.spool {
		f.body.ForgetPending(&f.store.spools)
	} else if !queued {
		f.body.Pending = nil
	}
	if !f.body.DropUnused(&f.store.spools, f.spool) && f.spool.Frozen == 0 && !used {
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
	return (&frozen{store: s, node: n, body: b, spool: b.Pending}).thaw
}

// freezePending freezes the queued content of n; it returns nil if there is none.
func (s *Store) freezePending(n *tree.Node) (*frozen, error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.mu.RLock()
	queued := n.Queued()
	s.mu.RUnlock()
	if !queued || b.Pending == nil {
		return nil, nil
	}
	return s.freezeBodyLocked(n, b.Pending, b.Queued)
}
