package media

import (
	"context"
	"os"

	"paperfs/remote"
)

// SendFailed has the content of an entry of failed/ sent by send, which gives its
// SHA-256; where that succeeds the entry is gone.
func (s *Store) SendFailed(entry string, send func(remote.Content) (sha256 string, err error)) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.work.Done()
	e, err := s.failures.find(entry)
	if err != nil {
		return err
	}
	file := s.failures.file(e.id)
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	content := &outgoing{f: f, size: e.Size, path: e.Path, since: s.o.Now()}
	s.progress.begin(content)
	defer s.progress.end(content)
	sum, err := send(content)
	if err != nil {
		return err
	}
	if err := s.contents.Adopt(file, sum); err != nil {
		s.o.Log.Warn("published content is not kept for reading", "path", e.Path, "error", err)
	}
	return s.failures.take(e)
}

// RetryFailed uploads the content of an entry of failed/ under a name of
// media/; where that succeeds the entry is gone.
func (s *Store) RetryFailed(ctx context.Context, entry string, dir Ino, name string, noReplace bool) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.work.Done()
	e, err := s.failures.find(entry)
	if err != nil {
		return err
	}
	unlock, err := s.places.lockFor(ctx, place{dir, fold(name)})
	if err != nil {
		return err
	}
	defer unlock()
	at, err := s.retryTarget(dir, name, noReplace)
	if err != nil {
		return err
	}
	file := s.failures.file(e.id)
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	up, err := s.uploadFor(ctx, at, &outgoing{f: f, size: e.Size})
	if err != nil {
		return err
	}
	s.mu.Lock()
	n := at.dir.children[name]
	if n == nil {
		n = s.newNodeLocked(File, e.Mode|ownMode, Owner, Owner)
		s.linkLocked(at.dir, name, n)
	}
	if !n.dirty() {
		n.mtime = instantOf(e.ModTime)
	}
	s.dropNoteLocked(at.here())
	s.holdsLocked(n, up)
	n.pub.modTime = instantOf(e.ModTime)
	upto := s.keepLocked(n)
	change := Changed{Dir: at.dir.ino, Entries: []string{name}, Contents: []string{name}}
	s.mu.Unlock()
	s.changes.add(change)
	if err := s.table.wait(upto); err != nil {
		return err
	}
	if up.Size > 0 {
		if err := s.contents.Adopt(file, up.SHA256); err != nil {
			s.o.Log.Warn("published content is not kept for reading", "error", err)
		}
	}
	return s.failures.take(e)
}

// failedEntry is an entry of failed/ for content of n; Store.mu must be held.
func (n *node) failedEntry(size int64, reason error) FailedEntry {
	base := n.pub
	return FailedEntry{Path: n.path(), Reason: reason.Error(), Size: size, Mode: n.permissions(), ModTime: n.mtime.time(),
		Unfinished: isUnfinished(reason), base: &base}
}

// replaces reports whether a node, nil where none is, has other content than base,
// which was there before; Store.mu must be held.
func (n *node) replaces(base version) bool {
	if n == nil || n.kind != File || n.local() {
		return false
	}
	return n.dirty() || n.pub.id != 0 && (n.pub.id != base.id || base.differs(n.pub))
}

// bytes is a version as the row of an entry keeps it, without its address.
func (base *version) bytes() (b fields) {
	if base == nil {
		return nil
	}
	b.number(base.id)
	b.number(base.size)
	b.number(base.kb)
	b.text(base.sha256.String())
	return b
}

func readBase(kept []byte) (*version, error) {
	if kept == nil {
		return nil, nil
	}
	b := blockReader{rest: kept}
	base := version{id: b.number(), size: b.number(), kb: b.number(), sha256: digestOf(b.text())}
	return &base, b.err
}

// retryTarget checks that the content of an entry can be published as name.
func (s *Store) retryTarget(dir Ino, name string, noReplace bool) (target, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.directoryLocked(dir)
	if err != nil {
		return target{}, err
	}
	there := d.children[name]
	switch {
	case s.scratchLocked(d, name, ""):
		return target{}, unsupported(name, "a name that stays on this machine; copy the content there instead")
	case there != nil && there.kind == Directory:
		return target{}, &Error{Kind: IsDirectory, Name: name, Detail: "a directory"}
	case there != nil && noReplace:
		return target{}, taken(name)
	case there != nil && there.local():
		return target{}, taken(name)
	}
	if err := checkName(name); err != nil {
		return target{}, err
	}
	return d.place(name), d.clashes(name, false, nil)
}
