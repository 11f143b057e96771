package upload

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// Uploader sends to the service.
type Uploader struct {
	o            *option.Options
	names        *names.Tree
	reconciler   *reconcile.Reconciler
	bodies       *body.Bodies
	Progress     spool.Progress
	early        atomic.Pointer[early]
	PDFProcessor Processor // sends PDFs; nil: not set yet
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, bodies *body.Bodies) *Uploader {
	u := &Uploader{o: o, names: names, reconciler: reconciler, bodies: bodies}
	u.Progress.Ended = u.WakeEarly
	return u
}

// maxUploads is the maximum number of uploads to a name where an earlier upload may still take
// effect.
const maxUploads = 3

// upload sends content to a name, which must be locked. noted says that no spool records the
// upload, so a note is written first. After a success the caller must call RecordUploadLocked,
// which removes the note together with the rows that record the success.
func (s *Uploader) upload(ctx context.Context, at names.Target, content *spool.Content, noted bool) (up remote.Upload, err error) {
	if err = s.names.Journal.Able(); err != nil {
		return up, err
	}
	for again := false; ; again = true {
		if at, err = s.ensureDir(ctx, at); err != nil {
			return up, err
		}
		if err = s.names.NoteUpload(at, content, noted); err == nil {
			up, err = s.uploadTo(ctx, at, content)
		}
		if err == nil {
			return up, nil
		}
		s.names.Mu.Lock()
		s.names.DropNoteLocked(at.Here(), true)
		s.names.Mu.Unlock()
		if again || !s.dirDeletedAtService(ctx, at, err) {
			return up, err
		}
		if at.Base != 0 {
			at.Base = remote.NoFile
		}
	}
}

// ensureDir creates the directory of a target at the service if necessary, and returns the target
// with its id.
func (s *Uploader) ensureDir(ctx context.Context, at names.Target) (names.Target, error) {
	if err := s.MakeDirs(ctx, at.Dir); err != nil {
		return at, err
	}
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	at.ID, at.Made = at.Dir.ID, at.Dir.Changed
	return at, nil
}

// uploadTo is upload to a target whose directory exists. If the outcome of an earlier upload to
// the name is unknown, it verifies that the service has this content, and repeats the upload if
// not. Where the service compares versions, there is no need: the earlier upload required one that is gone.
func (s *Uploader) uploadTo(ctx context.Context, at names.Target, content *spool.Content) (remote.Upload, error) {
	here := journal.NameAt(at.ID, at.Name)
	for try := 1; ; try++ {
		up, err := s.uploadOnce(ctx, at, content)
		if err != nil {
			return up, s.names.NoteUnknown(here, at, content, err)
		}
		other := s.otherFile(at, up.FileID, tree.Fold)
		if other != "" && s.reconciler.RefreshPatiently(ctx) == nil { // a colleague may have moved it there, or a restored backup of the service reuse ids
			other = s.otherFile(at, up.FileID, strings.Clone)
		}
		if other != "" {
			return up, refusal.CaseClash(at.Name, other)
		}
		switch settled, err := s.settled(ctx, here, at.Base, up); {
		case err != nil:
			s.o.Log.Warn("cannot verify an upload", "path", at.Path, "error", err)
			return up, nil
		case settled:
			return up, nil
		case try == maxUploads:
			return up, &refusal.Error{Kind: refusal.Damaged, Name: at.Path, Detail: fmt.Sprintf("the service has other content after %d uploads that it reported as successful", maxUploads)}
		}
		at.Base = 0 // nobody compares it
	}
}

func (s *Uploader) uploadOnce(ctx context.Context, at names.Target, content *spool.Content) (remote.Upload, error) {
	s.Progress.Begin(content, func() string { return at.Path }, s.o.Now())
	defer s.Progress.End(content)
	if up, sent, err := s.endEarly(ctx, at, content); sent {
		return up, err
	}
	return s.o.Service.UploadFile(remote.Under(ctx, &remote.Condition{If: at.Base}), at.ID, at.Name, content)
}

// otherFile returns the path of the file with a service id if it is known under another name
// than at, by what fold leaves of the two, else "".
func (s *Uploader) otherFile(at names.Target, id int64, fold func(string) string) string {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	n := s.names.Files[id]
	if n == nil || n.Parent == at.Dir && fold(n.Name) == fold(at.Name) { // nil: also if a local file has taken the name of the known one
		return ""
	}
	return n.Path()
}

// settled reports whether the service has the content of an upload that it has answered, and no earlier upload to the name can
// take effect any more. If one may, and nobody has compared versions, settled reads the tree again.
func (s *Uploader) settled(ctx context.Context, here journal.ServiceName, base remote.Version, up remote.Upload) (bool, error) {
	s.names.Mu.RLock()
	looks := s.names.UnsureLocked(here) && s.reconciler.Compared(base) == 0
	s.names.Mu.RUnlock()
	if looks {
		if err := s.reconciler.RefreshPatiently(ctx); err != nil {
			return false, err
		}
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	if n := s.names.Files[up.FileID]; looks && (n == nil || n.Latest().Differs(names.VersionOf(up))) {
		return false, s.names.GetTree.NotOffered
	}
	s.names.OutcomeKnownLocked(here)
	return true, nil
}

// UploadFor is upload for a change whose caller may give up: this ends the upload unless its
// last bytes are sent. After a success the caller must call RecordUploadLocked, and save the rows.
func (s *Uploader) UploadFor(ctx context.Context, at names.Target, content *spool.Content) (remote.Upload, error) {
	work, cancel := context.WithCancel(waiter.Committed(ctx))
	defer cancel()
	u := new(waiter.Undecided)
	content.Gate = u
	defer context.AfterFunc(waiter.Of(ctx), func() {
		if u.End() {
			cancel()
		}
	})()
	up, err := s.upload(work, at, content, true)
	if err != nil && u.Ended() {
		err = waiter.ErrLeft
	}
	return up, err
}

// Changing makes a change that requires versions at the service, which still takes from the tree; still fails if they are not those
// that the change is meant for. After a conflict the tree tells what is there instead: the same may be back, moved, or gone.
func (s *Uploader) Changing(ctx context.Context, still, change func() error) (err error) {
	for try := 1; ; try++ {
		if err = still(); err != nil {
			return err
		}
		if err = change(); !cause.Conflict(err) || try == maxUploads {
			return err
		}
		if unread := s.reconciler.RefreshPatiently(ctx); unread != nil {
			return unread
		}
	}
}

// UploadSeen uploads content of n if the service has, under the name of n, what the content was begun on.
func (s *Uploader) UploadSeen(ctx context.Context, n *tree.Node, f *body.Frozen, at names.Target) (up remote.Upload, err error) {
	err = s.Changing(ctx, func() (err error) {
		at.Base, err = s.reconciler.RequireSeen(ctx, n, at, f.Content)
		return err
	}, func() (err error) {
		up, err = s.upload(ctx, at, f.Content, f.Delivery != nil)
		return err
	})
	return up, s.reconciler.Hiding(n, err)
}
