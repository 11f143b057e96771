package queue

import (
	"cmp"
	"errors"
	"math"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
)

// This file handles queued content that cannot be sent.

// AnyGen stands for whatever generation is queued.
const AnyGen = math.MaxUint64

// FailFile takes the refused generation of a file, whose delivery failed, out of the queue, and moves
// it to failed/ once no program has it open. If newer content was queued in the meantime, that is
// sent. An error says that the content could not be moved yet.
func (s *Sender) FailFile(n *tree.Node, d *tree.Delivery, why tree.Verdict) error {
	unlock := s.names.LockNode(n)
	defer unlock()
	return s.bodies.DropOrphan(s.failQueued(n, d, why))
}

// failQueued is FailFile without the move; the name must be locked. It returns the inode that has
// the content, and no name. If n has newer content, which is still being written, n keeps its name.
func (s *Sender) failQueued(n *tree.Node, d *tree.Delivery, why tree.Verdict) *tree.Node {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.names.Mu.RLock()
	current := n.Delivery == d && !n.Stray()
	s.names.Mu.RUnlock()
	switch {
	case !current:
		return n
	case why.Gen != AnyGen && why.Gen != b.Queued:
		s.resume(d)
		return n
	}
	s.hardenRefusedBodyLocked(n)
	refused, newer := b.Pending, b.Pending != b.Spool
	s.names.Mu.Lock()
	s.names.SetQueuedLocked(n, false)
	b.Pending = nil
	if refused != nil && newer {
		defer s.names.Mu.Unlock()
		return s.asideLocked(n, refused, why)
	}
	s.names.Mu.Unlock()
	s.bodies.DetachBodyLocked(n, why)
	return n
}

// asideLocked returns a new inode without a name for content that was queued for the name of n; Mu
// must be held.
func (s *Sender) asideLocked(n *tree.Node, sp *spool.File, why tree.Verdict) *tree.Node {
	aside := s.names.SuccessorLocked(n)
	aside.Body().Spool, aside.Mtime = sp, n.Mtime
	own := aside.Own()
	own.Size, own.Draft, aside.Written = sp.Size, sp.Serial, true
	aside.On(tree.Written)
	s.names.OrphanLocked(aside, n.Path(), why)
	return aside
}

// resume continues sending a delivery that was stopped, if it is still queued.
func (s *Sender) resume(d *tree.Delivery) {
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	d.Canceller = new(tree.Canceller)
	d.Queue.Resume(d)
	s.names.OfferLocked(d.Node)
}

// hardenRefusedBodyLocked syncs the spool of content that is about to leave the queue: its copy
// in the database is removed with it, and may be the only durable one. b.Mu must be held.
func (s *Sender) hardenRefusedBodyLocked(n *tree.Node) {
	b := n.Body()
	if b.Pending == nil {
		return
	}
	if err := errors.Join(s.bodies.OpenSpool(b.Pending), s.bodies.Spools.Sync(b.Pending)); err != nil {
		s.o.Log.Error("content that was not published is not durable yet", "error", err)
	}
}

// FailDir gives up on a queued directory: it takes the files in it out of the queue, and removes the
// directory once it is empty. A directory with scratch in it, or with a file that is being written,
// stays; the next close of a file in it queues it again. It returns the first error of moving a file to
// failed/.
func (s *Sender) FailDir(dir *tree.Node, reason error) (err error) {
	s.names.Mu.RLock()
	children := make(map[*tree.Node]*tree.Delivery, len(dir.Children))
	for _, n := range dir.Children {
		children[n] = n.Delivery
	}
	s.names.Mu.RUnlock()
	for n, d := range children {
		switch {
		case s.names.Is(n.Local):
		case n.Kind == inode.Directory:
			err = cmp.Or(err, s.FailDir(n, reason))
		case d != nil:
			err = cmp.Or(err, s.FailFile(n, d, tree.Verdict{Reason: reason, Gen: AnyGen}))
		}
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	switch {
	case dir.Parent == nil || dir.Local(): // removed, or scratch since
	case len(dir.Children) > 0:
		s.names.SetQueuedLocked(dir, false)
		s.names.SaveLocked(dir)
	default:
		s.names.Changes.Tell(names.Changed{Dir: dir.Parent.Ino, Entries: []string{dir.Name}})
		s.names.UnlinkLocked(dir)
	}
	return err
}

var ErrDiscarded = errors.New("it was removed from the queue before it was sent")
