package media

import (
	"context"
	"syscall"

	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// ReturnDeleted brings an entry of the service's deleted things back under a name of media/: restore does that, given
// the directory's id at the service. EXDEV: what is there does not become the entry, but its content can be copied there.
func (s *Store) ReturnDeleted(ctx context.Context, e remote.Entry, dir Ino, name string, noReplace bool, restore func(parent int64, name string) error) error {
	parent, err := s.returnTarget(e, dir, name, noReplace)
	if err == nil {
		err = restore(parent, name)
	}
	if err == nil {
		_ = s.Refresh(ctx) // without an answer, it shows later
	}
	return err
}

// returnTarget returns the id of the directory at the service to which an entry can come back.
func (s *Store) returnTarget(e remote.Entry, dir Ino, name string, noReplace bool) (parent int64, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.directoryLocked(dir)
	if err != nil {
		return 0, err
	}
	there, file := d.Children[name], e.Kind == "file"
	switch {
	case e.Kind == "paper" || e.Kind == "category":
		return 0, &Error{Kind: Invalid, Name: name, Detail: "a " + e.Kind + " comes back in papers/"}
	case there != nil && (noReplace || e.Kind == "directory"):
		return 0, refusal.NameTaken(name)
	case there != nil && file && there.Kind == File && !there.Dirty() && there.Pub.ID == e.ID:
		return d.ID, nil // its own earlier content
	case there != nil || e.Replaced, d != s.root && d.ID == 0 || s.scratchLocked(d, name, ""):
		if e.Kind == "directory" {
			return 0, refusal.NotSupported(name, "the name stays on this machine; give it another one")
		}
		return 0, syscall.EXDEV
	}
	if err := tree.CheckName(name); err != nil {
		return 0, err
	}
	return d.ID, d.Clashes(name, !file, nil)
}
