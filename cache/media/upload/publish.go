package upload

import (
	"context"
	"errors"

	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/reconcile"
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
		s.bodies.LetGo(n, tree.Verdict{Reason: err, Final: true})
	case !refusal.Is(err, refusal.Superseded):
	case s.bodies.KeepBeside(n):
		return s.publish(ctx, n, d)
	case d == nil:
		s.bodies.LetGo(n, tree.Verdict{Reason: err, Final: true})
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
	if n.Lost != "" { // its name let go of it in the meantime
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
