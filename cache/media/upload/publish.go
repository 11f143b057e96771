package upload

import (
	"cmp"
	"context"
	"errors"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// PublishOrPart is publish. If others have put another version under the name, the name shows that,
// and the content gets another name, or none. A PDF whose paper has another one in processing waits for that in the queue.
func (s *Uploader) PublishOrPart(ctx context.Context, n *tree.Node, d *tree.Delivery) error {
	err := s.publish(ctx, n, d)
	switch {
	case d == nil && n.PDF != nil && Busy(err):
		return s.queueBusy(n, err)
	case d == nil && n.PDF != nil && err != nil: // its readers go on with what was sent before
		s.bodies.Detach(n, tree.Verdict{Reason: err, Final: true})
	case !refusal.Is(err, refusal.Superseded):
	case s.bodies.KeepBeside(n):
		return s.publish(ctx, n, d)
	case d == nil:
		s.bodies.Detach(n, tree.Verdict{Reason: err, Final: true})
	}
	return err
}

// Busy reports whether the service takes no PDF of a paper because it processes another one.
func Busy(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Code == remote.AlreadyBeingProcessed
}

// publish sends n's newest content to n's present path, unless the service has it. If the tree shows
// n elsewhere meanwhile, it is sent there.
func (s *Uploader) publish(ctx context.Context, n *tree.Node, d *tree.Delivery) (err error) {
	to := func(f *body.Frozen, at names.Target) (remote.Upload, error) { return s.UploadSeen(ctx, n, f, at) }
	if n.PDF != nil {
		to = s.processing(ctx, n)
	}
	for err = reconcile.ErrElsewhere; err == reconcile.ErrElsewhere; {
		err = s.publishTo(n, d, to)
	}
	return err
}

// destination sends content, of media/ to a name.
type destination func(f *body.Frozen, at names.Target) (remote.Upload, error)

// publishTo sends n's newest content, unless the service has it. It holds the lock of the file's name
// throughout. With a delivery, it is called by the queue and sends the queued content: a newer
// generation may be written but not closed yet.
func (s *Uploader) publishTo(n *tree.Node, d *tree.Delivery, to destination) error {
	fromQueue := d != nil
	unlock := s.names.LockNode(n)
	defer unlock()
	s.names.Mu.RLock()
	stays := n.Local() || n.Parent == nil
	var at names.Target
	if !stays {
		at = names.TargetIn(n.Parent, n.Name)
	}
	lacking := n.Pub.ID == 0 || n.Dirty()
	var canceller *tree.Canceller
	if fromQueue {
		canceller = d.Canceller
	}
	s.names.Mu.RUnlock()
	switch {
	case stays && fromQueue: // another inode has what is queued, if anything is
		return nil
	case stays:
		return s.names.LostWrites(n)
	}
	f, err := s.freezeFor(n, fromQueue)
	if err != nil {
		return err
	}
	if f == nil {
		return nil
	}
	defer f.Thaw()
	if !lacking && !f.Unsent() {
		return nil
	}
	if fromQueue {
		canceller.Gen = f.Gen
		f.Content.Gate = canceller
	}
	up, err := to(f, at)
	switch {
	case err == nil && n.PDF != nil:
		f.SentPDF(up)
	case err == nil:
		return s.Published(at, f, up, fromQueue)
	case fromQueue: // the failure may be temporary
	case err == reconcile.ErrElsewhere, refusal.Is(err, refusal.Superseded): // publish and PublishOrPart decide
	default:
		f.Failed(err)
	}
	return err
}

// freezeFor freezes what a close or the queue sends. An error of a close is the verdict on the draft.
func (s *Uploader) freezeFor(n *tree.Node, fromQueue bool) (*body.Frozen, error) {
	if fromQueue {
		return s.bodies.FreezePending(n)
	}
	f, err := s.bodies.Freeze(n)
	if err != nil && n.PDF == nil { // a PDF has a verdict already
		b := n.Body()
		b.Mu.Lock()
		b.Judge(b.Gen, err)
		b.Mu.Unlock()
	}
	return f, err
}

// Published records that the service has f's content under its name, at. A file that is new at
// the service need not be synced: after a power loss GetTree restores it. Small content sent by
// the queue does not even wait for its row, so that the row is written together with the note
// of the next upload: a kill before that finds the content queued, with its copy and its note,
// and sends it again.
func (s *Uploader) Published(at names.Target, f *body.Frozen, up remote.Upload, fromQueue bool) error {
	n := f.Lock()
	b := n.Body()
	s.names.Mu.Lock()
	copied := n.Copied
	recoverable := n.Pub.ID == 0 && s.names.GetTree.NotOffered == nil && !s.names.GetTree.Fetched.IsZero()
	s.RecordUploadLocked(n, at.Here(), f, up)
	upto := s.names.SaveLocked(n)
	if n.Lost != "" { // its name has got another inode in the meantime
		upto = s.ShowSentOfLocked(at, n, up)
	}
	s.names.Mu.Unlock()
	b.Mu.Unlock()
	switch {
	case recoverable && copied && fromQueue:
		return nil
	case recoverable:
		return s.names.Journal.WaitWritten(upto)
	}
	return s.names.Journal.WaitSynced(upto)
}

// RecordUploadLocked records the service's answer to an upload; the name must be locked. The
// uploaded content is n's; n is nil if others took the name in the meantime, and then the next
// GetTree tells whose it is. f is the frozen local content, or nil. Tree.Mu must be held, and
// Body.Mu of n unless f is nil. The caller must call SaveLocked.
func (s *Uploader) RecordUploadLocked(n *tree.Node, here waiter.Name, f *body.Frozen, up remote.Upload) {
	s.names.DropNoteLocked(here, false)
	if n != nil && n.Parent != nil {
		s.names.RecordVersionLocked(n, up)
	} else {
		s.names.GetTree.Stale = true
	}
	if f != nil {
		s.bodies.RecordSentLocked(n, f.Gen, up)
	}
}

// ShowLocked shows what was uploaded to a name, with its time, by the name's inode or by one for by;
// Tree.Mu must be held. It returns the number of the change, as SaveLocked does.
func (s *Uploader) ShowLocked(at names.Target, by inode.New, modTime inode.Instant, up remote.Upload) uint64 {
	n := at.Dir.Children[at.Name]
	if at.Dir.Parent == nil && at.Dir != s.names.Root || n != nil && n.Kind != inode.File {
		s.RecordUploadLocked(nil, at.Here(), nil, up)
		return s.names.UptoLocked()
	}
	if n == nil {
		n = s.names.NewNodeLocked(inode.File, by.Mode, by.UID, by.GID)
		s.names.LinkLocked(at.Dir, at.Name, n)
		s.names.Changes.Tell(names.Changed{Dir: at.Dir.Ino, Entries: []string{at.Name}})
	} else {
		n = s.names.InodeForLocked(n)
	}
	if !n.Dirty() {
		n.Mtime = modTime
	}
	s.RecordUploadLocked(n, at.Here(), nil, up)
	n.Pub.ModTime = modTime
	return s.names.SaveLocked(n)
}

// ShowSentOfLocked is ShowLocked for content of src, which does not have the name.
func (s *Uploader) ShowSentOfLocked(at names.Target, src *tree.Node, up remote.Upload) uint64 {
	return s.ShowLocked(at, inode.New{Mode: uint32(src.Mode), UID: src.UID, GID: src.GID}, cmp.Or(src.Pub.ModTime, src.Mtime), up)
}
