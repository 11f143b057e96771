package media

import (
	"cmp"
	"errors"
	"math"

	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// This file handles queued content that cannot be sent.

// anyGen stands for whatever generation is queued.
const anyGen = math.MaxUint64

// failFile takes the judged generation of a file, whose delivery failed, out of the queue, and moves
// it to failed/ once no program has it open. If newer content was queued in the meantime, that is
// sent. An error says that the content could not be moved yet.
func (s *Store) failFile(n *tree.Node, d *tree.Delivery, why tree.Verdict) error {
	unlock := s.lockNode(n)
	defer unlock()
	return s.dropApart(s.failQueued(n, d, why))
}

// failQueued is failFile without the move; the name must be locked. It returns the inode that has
// the content, and no name. If n has newer content, which is still being written, n keeps its name.
func (s *Store) failQueued(n *tree.Node, d *tree.Delivery, why tree.Verdict) *tree.Node {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.mu.RLock()
	current := n.Delivery == d && !n.Stray()
	s.mu.RUnlock()
	switch {
	case !current:
		return n
	case why.Gen != anyGen && why.Gen != b.Queued:
		s.resume(d)
		return n
	}
	s.hardenRefusedBodyLocked(n)
	refused, newer := b.Pending, b.Pending != b.Spool
	s.mu.Lock()
	s.setQueuedLocked(n, false)
	b.Pending = nil
	if refused != nil && newer {
		defer s.mu.Unlock()
		return s.asideLocked(n, refused, why)
	}
	s.mu.Unlock()
	s.letGoBodyLocked(n, why)
	return n
}

// asideLocked returns a new inode without a name for content that was queued for the name of n; s.mu
// must be held.
func (s *Store) asideLocked(n *tree.Node, sp *spool.File, why tree.Verdict) *tree.Node {
	aside := s.heirLocked(n)
	aside.Body().Spool, aside.Mtime = sp, n.Mtime
	own := aside.Own()
	own.Size, own.Draft, aside.Written = sp.Size, sp.Serial, true
	aside.On(tree.Written)
	s.apartLocked(aside, n.Path(), why)
	return aside
}

// resume continues sending a delivery that was stopped, if it is still queued.
func (s *Store) resume(d *tree.Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.Canceller = new(tree.Canceller)
	d.Queue.Resume(d)
	s.offerLocked(d.Node)
}

// hardenRefusedBodyLocked syncs the spool of content that is about to leave the queue: its copy
// in the database is removed with it, and may be the only durable one. b.Mu must be held.
func (s *Store) hardenRefusedBodyLocked(n *tree.Node) {
	b := n.Body()
	if b.Pending == nil {
		return
	}
	if err := errors.Join(s.openSpool(b.Pending), s.spools.Sync(b.Pending)); err != nil {
		s.o.Log.Error("content that was not published is not durable yet", "error", err)
	}
}

// failDir gives up on a queued directory: it takes the files in it out of the queue, and removes the
// directory once it is empty. A directory with scratch in it, or with a file that is being written,
// stays; the next close of a file in it queues it again. It returns the first error of moving a file to
// failed/.
func (s *Store) failDir(dir *tree.Node, reason error) (err error) {
	s.mu.RLock()
	children := make(map[*tree.Node]*tree.Delivery, len(dir.Children))
	for _, n := range dir.Children {
		children[n] = n.Delivery
	}
	s.mu.RUnlock()
	for n, d := range children {
		switch {
		case n.Local():
		case n.Kind == Directory:
			err = cmp.Or(err, s.failDir(n, reason))
		case d != nil:
			err = cmp.Or(err, s.failFile(n, d, tree.Verdict{Reason: reason, Gen: anyGen}))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case dir.Parent == nil || dir.Local(): // removed, or scratch since
	case len(dir.Children) > 0:
		s.setQueuedLocked(dir, false)
		s.saveLocked(dir)
	default:
		s.changes.add(Changed{Dir: dir.Parent.Ino, Entries: []string{dir.Name}})
		s.unlinkLocked(dir)
	}
	return err
}

var errDiscarded = errors.New("it was removed from the queue before it was sent")
