package queue

import (
	"context"
	"strings"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// SendFailed sends the content of an entry of failed/ with send, which returns its SHA-256, and
// removes the entry if that succeeds.
func (s *Sender) SendFailed(entry string, send func(remote.Content) (sha256 string, err error)) error {
	e, f, end, err := s.uploads.BeginRetry(entry)
	if err != nil {
		return err
	}
	defer end()
	content := &spool.Content{F: f, Length: e.Size}
	s.uploads.Progress.Begin(content, func() (path string) { path, _, _ = s.o.PDFPath(e.Paper, e.Dir, e.Path); return path }, s.o.Now())
	defer s.uploads.Progress.End(content)
	sum, err := send(content)
	if err != nil {
		return err
	}
	return s.uploads.SentFailed(e, tree.Version{SHA256: inode.DigestOf(sum)})
}

// RetryFailed uploads the content of an entry of failed/ under a name of media/ and removes the
// entry if that succeeds.
func (s *Sender) RetryFailed(ctx context.Context, entry string, dir inode.Ino, name string, noReplace bool) error {
	e, f, end, err := s.uploads.BeginRetry(entry)
	if err != nil {
		return err
	}
	defer end()
	unlock, err := s.names.Locks.LockFor(ctx, waiter.NameOf(dir, name))
	if err != nil {
		return err
	}
	defer unlock()
	at, err := s.retryTarget(dir, name, noReplace)
	if err != nil {
		return err
	}
	up, err := s.uploads.UploadFor(ctx, at, &spool.Content{F: f, Length: e.Size})
	switch {
	case cause.Conflict(err) && noReplace:
		s.reconciler.Forget()
		return refusal.NameTaken(name)
	case cause.Conflict(err):
		_ = s.reconciler.RefreshPatiently(ctx) // without an answer, the words are still right
		return reconcile.ErrNewer(at.Path)
	case err != nil:
		return err
	}
	s.names.Mu.Lock()
	upto := s.uploads.ShowLocked(at, inode.New{Mode: e.Mode | tree.OwnMode, UID: inode.Owner, GID: inode.Owner}, inode.InstantOf(e.ModTime), up)
	s.names.Mu.Unlock()
	if err := s.names.Journal.WaitSynced(upto); err != nil {
		return err
	}
	return s.uploads.SentFailed(e, names.VersionOf(up))
}

// retryTarget checks that an entry's content can be published as name.
func (s *Sender) retryTarget(dir inode.Ino, name string, noReplace bool) (names.Target, error) {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	d, err := s.names.DirectoryLocked(dir)
	if err != nil {
		return names.Target{}, err
	}
	dst := d.Children[name]
	switch {
	case s.names.ScratchLocked(d, name, ""):
		return names.Target{}, refusal.NotSupported(name, "the name stays on this machine; copy the content there instead")
	case dst != nil && dst.Kind == inode.Directory:
		return names.Target{}, &refusal.Error{Kind: refusal.IsDirectory, Name: name, Detail: "a directory"}
	case dst != nil && noReplace:
		return names.Target{}, refusal.NameTaken(name)
	case dst != nil && dst.Local():
		return names.Target{}, refusal.NameTaken(name)
	}
	if err := tree.CheckName(name); err != nil {
		return names.Target{}, err
	}
	at, shown := names.TargetIn(d, name), tree.Version{}
	if dst != nil {
		shown = dst.Latest()
	}
	at.Base = s.reconciler.BaseLocked(shown)
	return at, d.Clashes(name, false, nil)
}

// Failed lists the content that was not published.
func (s *Sender) Failed() []failed.Entry {
	list := s.bodies.Failures.List()
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	for i := range list {
		e := &list[i]
		e.Unnamed = e.Base == nil && strings.HasPrefix(e.Path, failed.Unnamed)
		e.Replaced = failed.Replaces(s.names.FindLocked(e.Path), e.Base)
		if strings.HasPrefix(e.Path, "/") {
			e.Temporary = s.names.Temporary(e.Path)
			e.Path, e.Gone, e.Replaced = s.o.PDFPath(e.Paper, e.Dir, e.Path)
			e.Paper = max(e.Paper, 0)
		}
		e.Replaced = e.Replaced || e.Overtaken
	}
	return list
}

// DiscardFailed removes an entry permanently.
func (s *Sender) DiscardFailed(name string) error {
	e, err := s.bodies.Failures.Find(name)
	if err != nil {
		return err
	}
	return s.uploads.TakeFailed(e)
}
