package body

import (
	"paperfs/cache/content/failed"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/remote"
)

// Unsent reports whether the service lacks the frozen generation.
func (f *Frozen) Unsent() bool {
	b := f.Lock().Body()
	defer b.Mu.Unlock()
	return f.Gen != b.Sent
}

// Failed records that the frozen generation could not be published.
func (f *Frozen) Failed(err error) {
	b := f.Lock().Body()
	defer b.Mu.Unlock()
	b.Judge(f.Gen, err)
}

// RecordSentLocked records that the service has generation gen of n's content, and removes that or
// older content from the queue; Body.Mu and Tree.Mu must be held.
func (s *Bodies) RecordSentLocked(n *tree.Node, gen uint64, up remote.Upload) {
	b := n.Body()
	b.Sent, b.Sum = gen, up.SHA256
	if b.Verdict().Gen <= gen {
		b.SetVerdict(tree.Verdict{})
	}
	if n.Delivery != nil && !n.Stray() && gen >= b.Queued {
		s.names.SetQueuedLocked(n, false) // thaw drops the spool
	}
	if b.Gen == gen {
		n.On(tree.Uploaded)
		if n.Lost != "" {
			n.Pub, n.Written = names.VersionOf(up), false
		}
	} else {
		n.On(tree.Outdated)
	}
}

// Frozen is a spool at one generation, while it is being uploaded. Writes in the meantime go to
// a copy.
type Frozen struct {
	store *Bodies
	node  *tree.Node
	Spool *spool.File
	Gen   uint64

	Delivery *tree.Delivery // of queued content

	Content *spool.Content
	sum     string // SHA-256 of a PDF that was sent

	replaced bool // it was queued, and newer content is queued durably when it thaws
}

// Freeze freezes the newest content of n, creating an empty spool if there is none.
func (s *Bodies) Freeze(n *tree.Node) (*Frozen, error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Verdict().Final {
		return nil, b.Verdict().Reason
	}
	if b.Spool == nil {
		if err := s.DraftEmptyBodyLocked(n); err != nil {
			return nil, err
		}
	}
	return s.freezeBodyLocked(n, b.Spool, b.Gen)
}

// freezeBodyLocked freezes a spool of n that holds generation gen; Body.Mu must be held.
func (s *Bodies) freezeBodyLocked(n *tree.Node, sp *spool.File, gen uint64) (*Frozen, error) {
	if sp.Lack != nil {
		return nil, Lacking(n.Body())
	}
	if err := s.OpenSpool(sp); err != nil {
		return nil, err
	}
	if s.o.Own != nil && sp.Size > SmallCopy && sp.Frozen == 0 {
		sp.Seal()
	}
	sp.Frozen++
	return &Frozen{store: s, node: n, Spool: sp, Gen: gen, Content: sp.Content()}, nil
}

// Lock locks the Body of the node that has f's content, and returns the node: the name of a queued
// file may no longer refer to the inode that was frozen.
func (f *Frozen) Lock() *tree.Node {
	for {
		n := f.Owner()
		n.Body().Mu.Lock()
		if f.Owner() == n {
			f.node = n
			return n
		}
		n.Body().Mu.Unlock()
	}
}

func (f *Frozen) Owner() *tree.Node {
	f.store.names.Mu.RLock()
	defer f.store.names.Mu.RUnlock()
	return f.OwnerLocked()
}

// OwnerLocked returns the node that has f's content; Tree.Mu must be held.
func (f *Frozen) OwnerLocked() *tree.Node {
	if f.Delivery == nil {
		return f.node
	}
	return f.Delivery.Node
}

// NodeOf returns the node that has a queued content now.
func (s *Bodies) NodeOf(d *tree.Delivery) *tree.Node {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	return d.Node
}

// Thaw ends the use of f and drops its spool if nothing else needs it.
func (f *Frozen) Thaw() {
	b := f.Lock().Body()
	defer b.Mu.Unlock()
	f.Spool.Frozen--
	f.store.names.Mu.RLock()
	queued, used := f.node.Queued(), f.node.Handles > 0
	f.store.names.Mu.RUnlock()
	if !queued && b.Pending != f.Spool {
		b.ForgetPending(&f.store.Spools)
	} else if !queued {
		b.Pending = nil
	}
	if f.sum != "" && f.Spool != b.Spool && f.Spool != b.Pending && f.Spool.Frozen == 0 {
		f.store.KeepSent(f.node, f.Spool, f.sum)
		return
	}
	switch unneeded := f.Spool != b.Spool && f.Spool != b.Pending; {
	case b.DropUnused(&f.store.Spools, f.Spool):
	case unneeded && f.replaced: // it is still being sent
		f.Spool.Disown()
	case f.Spool.Frozen == 0 && !used && !f.store.IsLost():
		f.Spool.Close()
	}
}

// RetainBodyLocked keeps the queued content of n from being dropped until release, which locks
// Body.Mu itself; Body.Mu must be held.
func (s *Bodies) RetainBodyLocked(n *tree.Node) (release func()) {
	b := n.Body()
	if b.Pending == nil {
		return func() {}
	}
	b.Pending.Frozen++
	return (&Frozen{store: s, node: n, Spool: b.Pending, replaced: true}).Thaw
}

// FreezePending freezes the queued content of n; it returns nil if there is none.
func (s *Bodies) FreezePending(n *tree.Node) (*Frozen, error) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.names.Mu.RLock()
	queued, d := n.Queued(), n.Delivery
	s.names.Mu.RUnlock()
	if !queued || b.Pending == nil {
		return nil, nil
	}
	f, err := s.freezeBodyLocked(n, b.Pending, b.Queued)
	if err == nil {
		f.Delivery = d
	}
	return f, err
}

// SentPDF records that the service has f's content. The content is always either queued or sent.
func (f *Frozen) SentPDF(up remote.Upload) {
	s, n := f.store, f.Lock()
	s.names.Mu.Lock()
	f.sum, n.Pub = up.SHA256, tree.SentPDF(up.SHA256, f.Content.Length, n.Mtime.Time())
	s.names.ChangedLocked(n)
	s.RecordSentLocked(n, f.Gen, up)
	if n.Parent != nil {
		n.Parent.Unsure = false
	}
	upto := s.names.SaveLocked(n)
	to := failed.Entry{Paper: n.PDF.Paper, Dir: n.PDF.Dir, Path: n.LastPath()}
	s.names.Mu.Unlock()
	if f.Delivery != nil {
		s.LeftQueue(n, f.Spool.Serial, upto)
	}
	n.Body().Mu.Unlock()
	s.Failures.Overtake(to)
}
