package media

import (
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// frozen is a spool at one generation, to be uploaded: a write that comes while
// it is frozen goes to a copy.
type frozen struct {
	store *Store
	node  *tree.Node
	body  *tree.Body // of node
	spool *spool.File
	gen   uint64

	content *spool.Content
}

// freeze takes the newest content of n. It must have a spool.
func (s *Store) freeze(n *tree.Node) (*frozen, error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Torn != nil {
		return nil, b.Torn
	}
	if b.Spool == nil {
		sp, err := s.spools.Create(n.Ino)
		if err != nil {
			return nil, err
		}
		b.Spool = sp
	}
	return s.freezeBodyLocked(n, b.Spool, b.Gen)
}

// freezeBodyLocked takes a spool of n that has a generation; b.mu must be held.
func (s *Store) freezeBodyLocked(n *tree.Node, sp *spool.File, gen uint64) (*frozen, error) {
	if err := sp.Open(); err != nil {
		return nil, err
	}
	sp.Frozen++
	return &frozen{store: s, node: n, body: n.Body(), spool: sp, gen: gen, content: sp.Content()}, nil
}

// thaw ends the use of f.
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

// retainBodyLocked keeps what is queued of n from being dropped until release, which
// takes b.mu of the node; that must be held.
func (s *Store) retainBodyLocked(n *tree.Node) (release func()) {
	b := n.Body()
	if b.Pending == nil {
		return func() {}
	}
	b.Pending.Frozen++
	return (&frozen{store: s, node: n, body: b, spool: b.Pending}).thaw
}

// freezePending takes what is queued of n; nil where nothing is.
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
