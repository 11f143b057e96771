package media

import (
	"context"
	"os"
	"strings"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// SendFailed sends the content of an entry of failed/ with send, which returns its SHA-256, and
// removes the entry if that succeeds.
func (s *Store) SendFailed(entry string, send func(remote.Content) (sha256 string, err error)) error {
	e, f, end, err := s.beginRetry(entry)
	if err != nil {
		return err
	}
	defer end()
	content := &spool.Content{F: f, Length: e.Size, Path: func() (path string) { path, _, _ = s.o.PDFPath(e.Paper, e.Dir, e.Path); return path }, Since: s.o.Now()}
	s.progress.Begin(content)
	defer s.progress.End(content)
	sum, err := send(content)
	if err != nil {
		return err
	}
	return s.sentFailed(e, tree.Version{SHA256: inode.DigestOf(sum)})
}

// beginRetry opens the content of an entry of failed/ for sending. Close waits until end is
// called.
func (s *Store) beginRetry(entry string) (e failed.Entry, f *os.File, end func(), err error) {
	if err := s.enter(); err != nil {
		return e, nil, nil, err
	}
	if e, f, err = s.openFailed(entry); err != nil {
		s.work.Done()
		return e, nil, nil, err
	}
	return e, f, func() {
		_ = f.Close() // it was only read
		s.work.Done()
	}, nil
}

// RetryFailed uploads the content of an entry of failed/ under a name of media/ and removes the
// entry if that succeeds.
func (s *Store) RetryFailed(ctx context.Context, entry string, dir Ino, name string, noReplace bool) error {
	e, f, end, err := s.beginRetry(entry)
	if err != nil {
		return err
	}
	defer end()
	unlock, err := s.names.LockFor(ctx, waiter.NameOf(dir, name))
	if err != nil {
		return err
	}
	defer unlock()
	at, err := s.retryTarget(dir, name, noReplace)
	if err != nil {
		return err
	}
	up, err := s.uploadFor(ctx, at, &spool.Content{F: f, Length: e.Size})
	switch {
	case cause.Conflict(err) && noReplace:
		s.Forget()
		return refusal.NameTaken(name)
	case cause.Conflict(err):
		_ = s.refreshPatiently(ctx) // without an answer, the words are still right
		return errNewer(at.path)
	case err != nil:
		return err
	}
	s.mu.Lock()
	upto := s.showLocked(at, inode.New{Mode: e.Mode | tree.OwnMode, UID: Owner, GID: Owner}, inode.InstantOf(e.ModTime), up)
	s.mu.Unlock()
	if err := s.journal.WaitSynced(upto); err != nil {
		return err
	}
	return s.sentFailed(e, versionOf(up))
}

// sentFailed caches the content of a sent entry and removes the entry.
func (s *Store) sentFailed(e failed.Entry, pub tree.Version) error {
	if e.Size > 0 {
		s.cache(s.failures.File(e.ID), pub)
	}
	return s.takeFailed(e)
}

// retryTarget checks that an entry's content can be published as name.
func (s *Store) retryTarget(dir Ino, name string, noReplace bool) (target, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.directoryLocked(dir)
	if err != nil {
		return target{}, err
	}
	dst := d.Children[name]
	switch {
	case s.scratchLocked(d, name, ""):
		return target{}, refusal.NotSupported(name, "the name stays on this machine; copy the content there instead")
	case dst != nil && dst.Kind == Directory:
		return target{}, &Error{Kind: IsDirectory, Name: name, Detail: "a directory"}
	case dst != nil && noReplace:
		return target{}, refusal.NameTaken(name)
	case dst != nil && dst.Local():
		return target{}, refusal.NameTaken(name)
	}
	if err := tree.CheckName(name); err != nil {
		return target{}, err
	}
	at, shown := targetIn(d, name), tree.Version{}
	if dst != nil {
		shown = dst.Latest()
	}
	at.base = s.baseLocked(shown)
	return at, d.Clashes(name, false, nil)
}

// Failed lists the content that was not published.
func (s *Store) Failed() []failed.Entry {
	list := s.failures.List()
	s.mu.RLock()
	defer s.mu.RUnlock()
	for i := range list {
		e := &list[i]
		e.Unnamed = e.Base == nil && strings.HasPrefix(e.Path, failed.Unnamed)
		e.Replaced = failed.Replaces(s.findLocked(e.Path), e.Base)
		if strings.HasPrefix(e.Path, "/") {
			e.Temporary = s.temporary(e.Path)
			e.Path, e.Gone, e.Replaced = s.o.PDFPath(e.Paper, e.Dir, e.Path)
			e.Paper = max(e.Paper, 0)
		}
		e.Replaced = e.Replaced || e.Overtaken
	}
	return list
}

// OpenFailed opens the content of an entry for reading.
func (s *Store) OpenFailed(name string) (*os.File, error) {
	_, f, err := s.openFailed(name)
	return f, err
}

func (s *Store) openFailed(name string) (failed.Entry, *os.File, error) {
	e, err := s.failures.Find(name)
	if err != nil {
		return e, nil, err
	}
	f, err := os.Open(s.failures.File(e.ID))
	return e, f, err
}

// DiscardFailed removes an entry permanently.
func (s *Store) DiscardFailed(name string) error {
	e, err := s.failures.Find(name)
	if err != nil {
		return err
	}
	return s.takeFailed(e)
}

// takeFailed removes an entry. It waits for the goroutine that has just added it: until that is
// done, the tree and its rows still refer to the content at its old place.
func (s *Store) takeFailed(e failed.Entry) error {
	s.mu.RLock()
	n := s.nodes[e.Ino]
	s.mu.RUnlock()
	if n != nil && n.Kind == File {
		n.Body().Mu.RLock()
		defer n.Body().Mu.RUnlock()
	}
	return s.failures.Take(e)
}
