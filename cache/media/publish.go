package media

import (
	"context"
	"errors"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// publishOrPart is publish. If others have put another version under the name, the name shows that,
// and the content gets another name, or none. A PDF whose paper has another one in processing waits for that in the queue.
func (s *Store) publishOrPart(ctx context.Context, n *tree.Node, d *tree.Delivery) error {
	err := s.publish(ctx, n, d)
	switch {
	case d == nil && n.PDF != nil && busy(err):
		return s.queueBusy(n, err)
	case d == nil && n.PDF != nil && err != nil: // its readers go on with what was sent before
		s.letGo(n, tree.Verdict{Reason: err, Final: true})
	case !refusal.Is(err, refusal.Superseded):
	case s.keepBeside(n):
		return s.publish(ctx, n, d)
	case d == nil:
		s.letGo(n, tree.Verdict{Reason: err, Final: true})
	}
	return err
}

// busy reports whether the service takes no PDF of a paper because it processes another one.
func busy(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Code == remote.AlreadyBeingProcessed
}

// publish sends n's newest content to n's present path, unless the service has it. If the tree shows
// n elsewhere meanwhile, it is sent there.
func (s *Store) publish(ctx context.Context, n *tree.Node, d *tree.Delivery) (err error) {
	to := func(f *frozen, at target) (remote.Upload, error) { return s.uploadSeen(ctx, n, f, at) }
	if n.PDF != nil {
		to = s.processing(ctx, n)
	}
	for err = errElsewhere; err == errElsewhere; {
		err = s.publishTo(n, d, to)
	}
	return err
}

// errElsewhere says that the service has moved a file before anything was sent to its old name.
var errElsewhere = errors.New("the file has another name by now")

// destination sends content, of media/ to a name.
type destination func(f *frozen, at target) (remote.Upload, error)

// publishTo sends n's newest content, unless the service has it. It holds the lock of the file's name
// throughout. With a delivery, it is called by the queue and sends the queued content: a newer
// generation may be written but not closed yet.
func (s *Store) publishTo(n *tree.Node, d *tree.Delivery, to destination) error {
	fromQueue := d != nil
	unlock := s.lockNode(n)
	defer unlock()
	s.mu.RLock()
	stays := n.Local() || n.Parent == nil
	var at target
	if !stays {
		at = targetIn(n.Parent, n.Name)
	}
	lacking := n.Pub.ID == 0 || n.Dirty()
	var canceller *tree.Canceller
	if fromQueue {
		canceller = d.Canceller
	}
	s.mu.RUnlock()
	switch {
	case stays && fromQueue: // another inode has what is queued, if anything is
		return nil
	case stays:
		return s.lostWrites(n)
	}
	f, err := s.freezeFor(n, fromQueue)
	if err != nil {
		return err
	}
	if f == nil {
		return nil
	}
	defer f.thaw()
	if !lacking && !f.unsent() {
		return nil
	}
	if fromQueue {
		canceller.Gen = f.gen
		f.content.Gate = canceller
	}
	up, err := to(f, at)
	switch {
	case err == nil && n.PDF != nil:
		f.sentPDF(up)
	case err == nil:
		return s.published(at, f, up, fromQueue)
	case fromQueue: // the failure may be temporary
	case err == errElsewhere, refusal.Is(err, refusal.Superseded): // publish and publishOrPart decide
	default:
		f.failed(err)
	}
	return err
}

// freezeFor freezes what a close or the queue sends. An error of a close is the verdict on the draft.
func (s *Store) freezeFor(n *tree.Node, fromQueue bool) (*frozen, error) {
	if fromQueue {
		return s.freezePending(n)
	}
	f, err := s.freeze(n)
	if err != nil && n.PDF == nil { // a PDF has a verdict already
		b := n.Body()
		b.Mu.Lock()
		b.Judge(b.Gen, err)
		b.Mu.Unlock()
	}
	return f, err
}

// unsent reports whether the service lacks the frozen generation.
func (f *frozen) unsent() bool {
	b := f.lock().Body()
	defer b.Mu.Unlock()
	return f.gen != b.Sent
}

// failed records that the frozen generation could not be published.
func (f *frozen) failed(err error) {
	b := f.lock().Body()
	defer b.Mu.Unlock()
	b.Judge(f.gen, err)
}

// published records that the service has f's content under its name, at. A file that is new at
// the service need not be synced: after a power loss GetTree restores it. Small content sent by
// the queue does not even wait for its row, so that the row is written together with the note
// of the next upload: a kill before that finds the content queued, with its copy and its note,
// and sends it again.
func (s *Store) published(at target, f *frozen, up remote.Upload, fromQueue bool) error {
	n := f.lock()
	b := n.Body()
	s.mu.Lock()
	copied := n.Copied
	recoverable := n.Pub.ID == 0 && s.getTree.notOffered == nil && !s.getTree.fetched.IsZero()
	s.recordUploadLocked(n, at.here(), f, up)
	upto := s.saveLocked(n)
	if n.Lost != "" { // its name let go of it in the meantime
		upto = s.showSentOfLocked(at, n, up)
	}
	s.mu.Unlock()
	b.Mu.Unlock()
	switch {
	case recoverable && copied && fromQueue:
		return nil
	case recoverable:
		return s.journal.WaitWritten(upto)
	}
	return s.journal.WaitSynced(upto)
}

// recordUploadLocked records the service's answer to an upload; the name must be locked. The
// uploaded content is n's; n is nil if others took the name in the meantime, and then the next
// GetTree tells whose it is. f is the frozen local content, or nil. s.mu must be held, and
// Body.Mu of n unless f is nil. The caller must call saveLocked.
func (s *Store) recordUploadLocked(n *tree.Node, here waiter.Name, f *frozen, up remote.Upload) {
	s.dropNoteLocked(here)
	if n != nil && n.Parent != nil {
		s.recordVersionLocked(n, up)
	} else {
		s.getTree.stale = true
	}
	if f != nil {
		s.recordSentLocked(n, f.gen, up)
	}
}

// recordSentLocked records that the service has generation gen of n's content, and removes that or
// older content from the queue; Body.Mu and s.mu must be held.
func (s *Store) recordSentLocked(n *tree.Node, gen uint64, up remote.Upload) {
	b := n.Body()
	b.Sent, b.Sum = gen, up.SHA256
	if b.Verdict().Gen <= gen {
		b.SetVerdict(tree.Verdict{})
	}
	if n.Delivery != nil && !n.Stray() && gen >= b.Queued {
		s.setQueuedLocked(n, false) // thaw drops the spool
	}
	if b.Gen == gen {
		n.On(tree.Uploaded)
		if n.Lost != "" {
			n.Pub, n.Written = versionOf(up), false
		}
	} else {
		n.On(tree.Outdated)
	}
}

// recordVersionLocked records the version of n that up describes; s.mu must be held.
func (s *Store) recordVersionLocked(n *tree.Node, up remote.Upload) {
	s.serial++
	n.Own().Changed = s.serial
	s.claimIDLocked(n, up.FileID)
	url := tree.AddressOf(up.URL, up.FileID, n.Name)
	if !url.Known() && n.Pub.ID == up.FileID {
		url = n.Pub.URL
	}
	v := versionOf(up)
	v.URL, v.ModTime = url, n.Mtime
	s.versionsLocked(n, v, tree.Version{})
}

// versionOf returns the version that an upload made, without its address and time.
func versionOf(up remote.Upload) tree.Version {
	return tree.Version{ID: up.FileID, Size: up.Size, KB: (up.Size + 1023) / 1024, SHA256: inode.DigestOf(up.SHA256), Mark: up.Version}
}

// claimIDLocked removes another node that stands for the service's file id: a GetTree has added
// it under another spelling while n was being sent. The next GetTree gives n that spelling;
// s.mu must be held.
func (s *Store) claimIDLocked(n *tree.Node, id int64) {
	other := s.files[id]
	if other == nil || other == n || other.Parent == nil {
		return
	}
	s.getTree.stale = true
	s.changes.add(s.loseLocked(other)...)
}
