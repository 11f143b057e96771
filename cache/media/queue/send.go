package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/handle"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/upload"
	"paperfs/remote"
)

// Sender sends what is queued.
type Sender struct {
	o          *option.Options
	names      *names.Tree
	reconciler *reconcile.Reconciler
	bodies     *body.Bodies
	uploads    *upload.Uploader
	handles    *handle.Handles
	Barred     error // why the service last rejected the account, when the queue tried; nil once something was sent
}

// New returns what sends the queue of names, once that is started.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, bodies *body.Bodies, uploads *upload.Uploader, handles *handle.Handles) *Sender {
	s := &Sender{o: o, names: names, reconciler: reconciler, bodies: bodies, uploads: uploads, handles: handles}
	debounce := o.Debounce
	if !o.WriteBack {
		debounce = 0
	}
	names.Outbox, names.PDFQueue = s.newOutbox(debounce), s.newOutbox(0)
	return s
}

func (s *Sender) newOutbox(debounce time.Duration) *outbox.Outbox[*tree.Delivery] {
	return outbox.New(outbox.Options[*tree.Delivery]{
		Send: s.deliver, Ready: s.ready, Senders: s.o.Transfers, Pause: s.o.Pause, Debounce: debounce, Now: s.o.Now,
	})
}

// ready reports whether the node of a delivery can be sent now.
func (s *Sender) ready(d *tree.Delivery) bool {
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	if d.Node.Delivery != d || d.Node.PDF != nil && s.uploads.PDFProcessor == nil {
		return false
	}
	s.names.RequeueParentLocked(d.Node)
	if err := s.downloadLocked(d.Node); err != nil {
		d.Queue.Hold(d, option.DefaultLinger, err)
		return false
	}
	return d.Node.Sendable()
}

// noteBarredLocked records whether the service rejects the account, and why; Tree.Mu must be held.
func (s *Sender) noteBarredLocked(err error) {
	if err == nil || cause.General(err) && cause.Barred(err) {
		s.Barred = err
	}
}

// longestDownload limits how long after its last write a partial download delays the empty file
// of its final name, in case the browser crashed.
const longestDownload = 10 * time.Minute

// downloadLocked returns why an empty file must wait, or nil. Firefox creates it for the
// duration of a download and removes it if the user cancels, which would need --allow-delete
// once it was sent. Tree.Mu must be held.
func (s *Sender) downloadLocked(n *tree.Node) error {
	if n.Kind != inode.File || n.Size > 0 || n.Parent == nil {
		return nil
	}
	for name, part := range n.Parent.Children {
		if part.Local() && localname.IsPart(name, n.Name) && s.o.Now().Sub(part.Mtime.Time()).Abs() < longestDownload {
			return fmt.Errorf("it is empty and will be sent when its download (%s) ends", name)
		}
	}
	return nil
}

// deliver sends a queued node and handles the outcome. last is the error of the previous
// attempt.
func (s *Sender) deliver(ctx context.Context, d *tree.Delivery, last error) {
	s.names.Mu.Lock()
	n, canceller, again := d.Node, d.Canceller, d.Node.Kind == inode.File && !d.Node.Queued()
	if n.Kind == inode.File {
		canceller.Gen = n.Body().Queued // of what cannot even be opened
	}
	d.Last = last
	s.names.Mu.Unlock()
	if again {
		s.handles.RetryFinalize(d, last)
		return
	}
	err := s.o.State.Whole()
	switch {
	case err != nil:
	case n.Kind == inode.Directory:
		err = s.uploads.SendDir(ctx, n)
	default:
		err = s.uploads.PublishOrPart(ctx, n, d)
	}
	cancelled := cause.Cancelled(ctx, err) // the canceller decides what happens next
	if !cancelled && n.PDF == nil && cause.Unclear(err) {
		err = s.classifyUnclear(ctx, d, err)
	}
	refused := s.recordOutcome(d, cancelled, err)
	switch n = s.bodies.NodeOf(d); {
	case refused && n.Kind == inode.Directory:
		_ = s.FailDir(n, err) // what remains is retried
	case refused:
		_ = s.FailFile(n, d, tree.Verdict{Reason: err, Gen: canceller.Gen})
	case n.Kind == inode.File && !s.names.InUse(n):
		_ = s.handles.Finalize(n) // after an error it is tried again
	}
}

// recordOutcome records the outcome of an attempt and reports whether the service refused it
// permanently.
func (s *Sender) recordOutcome(d *tree.Delivery, cancelled bool, err error) (refused bool) {
	n := s.bodies.NodeOf(d)
	newer := n.Kind == inode.File && n.Body().Unsent()
	s.names.Mu.Lock()
	if d.Node != n { // its name has got another inode meanwhile, which has what is queued
		n, newer = d.Node, true
	}
	outcome := outbox.Interrupted
	if !cancelled {
		outcome = cause.Outcome(err, d.Queue.Closed())
	}
	if err == nil || outcome == outbox.Blocked {
		s.noteBarredLocked(err)
	}
	op, path, id := names.Operations[n.Kind], n.Path(), n.Pub.ID
	if n.IsPDF() {
		op, path, id = "process", s.names.ShownLocked(n), n.PDF.Paper
	}
	mended := err == nil && n.Parent != nil && !newer && !d.Outdated
	current := d.Queue.Ended(d, outcome, err)
	refused = current && outcome == outbox.Refused
	if n.Delivery == d { // otherwise it was sent or removed, or is being rewritten
		if err == nil && !newer || refused && n.Kind == inode.Directory {
			s.names.SetQueuedLocked(n, false)
		}
		s.names.OfferLocked(n)
	}
	news := err != nil && (d.Reported == nil || d.Reported.Error() != err.Error()) && !s.brief(d, err)
	if current && outcome != outbox.Interrupted && (refused || news) {
		d.Reported = err // before the unlock, after which the next attempt may begin
		defer s.o.Report(op, path, id, err)
	} else if mended {
		defer s.o.Mended(op, path)
	}
	s.names.Mu.Unlock()
	return refused
}

// briefOutage is how long after its close content may meet errors of the service's server, as while that restarts, before anybody
// hears of them.
const briefOutage = 3 * time.Second

func (s *Sender) brief(d *tree.Delivery, err error) bool {
	e, is := errors.AsType[*remote.Error](err)
	return is && e.Kind == remote.Status && e.Status >= 500 && s.o.Now().Sub(d.Since).Abs() <= briefOutage
}

// LongestUnclear is how long a single file may be refused for an unclear reason before that
// counts as permanent. The time restarts with each mount.
const LongestUnclear = 24 * time.Hour

// classifyUnclear decides what an unclear failure err means, by a harmless request to the
// service. If that request fails as well, the
// whole queue waits. Otherwise only d waits, for at most LongestUnclear.
func (s *Sender) classifyUnclear(ctx context.Context, d *tree.Delivery, err error) error {
	silent := s.o.Service.Answers(remote.Patient(ctx)) != nil
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	now := s.o.Now()
	switch {
	case silent:
		d.UnclearSince = time.Time{}
	case d.UnclearSince.IsZero() || now.Before(d.UnclearSince): // the clock was set back
		d.UnclearSince = now
	case now.Sub(d.UnclearSince) >= LongestUnclear:
		return fmt.Errorf("refused for a day, although the service answered other requests: %w", err)
	}
	return &cause.UnclearError{Err: err, All: silent}
}
