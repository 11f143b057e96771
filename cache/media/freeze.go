package media

import "paperfs/cache/media/spool"

// frozen is a spool at one generation, to be uploaded: a write that comes while
// it is frozen goes to a copy.
type frozen struct {
	store *Store
	node  *node
	body  *body // of node
	spool *spool.File
	gen   uint64

	content *spool.Content
}

// freeze takes the newest content of n. It must have a spool.
func (s *Store) freeze(n *node) (*frozen, error) {
	b := n.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.torn != nil {
		return nil, b.torn
	}
	if b.spool == nil {
		sp, err := s.spools.Create(n.ino)
		if err != nil {
			return nil, err
		}
		b.spool = sp
	}
	return s.freezeSpool(n, b.spool, b.gen)
}

// freezeSpool takes a spool of n that holds a generation; b.mu must be held.
func (s *Store) freezeSpool(n *node, sp *spool.File, gen uint64) (*frozen, error) {
	if err := sp.Open(); err != nil {
		return nil, err
	}
	sp.Frozen++
	return &frozen{store: s, node: n, body: n.body(), spool: sp, gen: gen, content: sp.Content()}, nil
}

// thaw ends the use of f.
func (f *frozen) thaw() {
	f.body.mu.Lock()
	defer f.body.mu.Unlock()
	f.spool.Frozen--
	f.store.mu.RLock()
	queued, used := f.node.queued(), f.node.handles > 0
	f.store.mu.RUnlock()
	if !queued && f.body.closed != f.spool {
		f.body.forgetClosed(f.store)
	} else if !queued {
		f.body.closed = nil
	}
	if !f.body.dropUnused(f.store, f.spool) && f.spool.Frozen == 0 && !used {
		f.spool.Close()
	}
}

// retain keeps what is queued of n from being dropped until release, which
// takes b.mu of the node; that must be held.
func (s *Store) retain(n *node) (release func()) {
	b := n.body()
	if b.closed == nil {
		return func() {}
	}
	b.closed.Frozen++
	return (&frozen{store: s, node: n, body: b, spool: b.closed}).thaw
}

// freezeClosed takes what is queued of n; nil where nothing is.
func (s *Store) freezeClosed(n *node) (*frozen, error) {
	b := n.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	s.mu.RLock()
	queued := n.queued()
	s.mu.RUnlock()
	if !queued || b.closed == nil {
		return nil, nil
	}
	return s.freezeSpool(n, b.closed, b.queued)
}
