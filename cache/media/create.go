package media

import (
	"context"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/waiter"
)

// Create creates an empty file and opens it for writing. It sends nothing.
func (s *Store) Create(dir Ino, name string, by New) (Attr, *Handle, error) {
	if err := s.o.State.Whole(); err != nil {
		return Attr{}, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d, local, err := s.newNameLocked(dir, name, by.Comm)
	if err != nil {
		return Attr{}, nil, err
	}
	n := s.newNodeLocked(File, by.Mode|tree.OwnMode, by.UID, by.GID)
	if local {
		n.On(tree.Hidden)
	}
	h := s.createdLocked(n)
	s.linkLocked(d, name, n)
	return n.Attr(), h, nil
}

// Mkdir creates a directory. This takes 1 request, plus 1 to find out whether the directory
// already exists if the service refuses. A scratch name takes none. With Options.WriteBack, or
// in a queued directory, the new directory is queued.
func (s *Store) Mkdir(ctx context.Context, dir Ino, name string, by New) (Attr, error) {
	if err := s.enterFor(journal.RoomToMake); err != nil {
		return Attr{}, err
	}
	defer s.work.Done()
	unlock, err := s.names.LockFor(ctx, waiter.NameOf(dir, name))
	if err != nil {
		return Attr{}, err
	}
	defer unlock()
	s.mu.Lock()
	d, local, err := s.newNameLocked(dir, name, by.Comm)
	if err != nil || local {
		defer s.mu.Unlock()
		if err != nil {
			return Attr{}, err
		}
		n := s.newNodeLocked(Directory, by.Mode|tree.OwnMode, by.UID, by.GID)
		n.On(tree.Hidden)
		s.linkLocked(d, name, n)
		return n.Attr(), nil
	}
	if s.o.WriteBack || !d.Made() {
		n := s.newNodeLocked(Directory, by.Mode|tree.OwnMode, by.UID, by.GID)
		s.setQueuedLocked(n, true)
		upto := s.linkLocked(d, name, n)
		attr := n.Attr()
		s.mu.Unlock()
		return attr, s.journal.WaitSynced(upto)
	}
	parent := d.ID
	s.mu.Unlock()

	ctx = waiter.Committed(ctx)
	id, err := s.createDir(ctx, parent, name)
	if err != nil {
		return Attr{}, s.notMade(ctx, d, parent, name, err)
	}
	s.mu.Lock()
	n := s.dirs[id] // a GetTree since then may have added it
	if n == nil || n.Parent != d || tree.Fold(n.Name) != tree.Fold(name) {
		n = s.newNodeLocked(Directory, by.Mode|tree.OwnMode, by.UID, by.GID)
		if other := d.Children[name]; other != nil {
			s.unlinkLocked(other)
		}
		s.linkLocked(d, name, n)
	}
	s.madeLocked(n, id)
	upto := s.saveLocked(n)
	attr := n.Attr()
	s.mu.Unlock()
	return attr, s.journal.WaitSynced(upto)
}

// The rest of this file creates what only scratch names can be: symbolic links and hard links.

// Symlink creates a symbolic link.
func (s *Store) Symlink(dir Ino, name, target string, by New) (Attr, error) {
	if err := s.o.State.Whole(); err != nil {
		return Attr{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d, local, err := s.newNameLocked(dir, name, by.Comm)
	if err != nil {
		return Attr{}, err
	}
	if !local {
		return Attr{}, plan.LocalOnly(name)
	}
	n := s.newNodeLocked(Symlink, by.Mode|tree.OwnMode, by.UID, by.GID)
	n.On(tree.Hidden)
	n.Own().Target = target
	s.linkLocked(d, name, n)
	return n.Attr(), nil
}

// Link adds another scratch name to a scratch file.
func (s *Store) Link(ino, dir Ino, name string, comm string) (Attr, error) {
	if err := s.o.State.Whole(); err != nil {
		return Attr{}, err
	}
	for {
		s.mu.RLock()
		n := s.nodes[ino]
		s.mu.RUnlock()
		if n == nil {
			return Attr{}, refusal.NoSuchFile(name)
		}
		at, named := s.nameOf(n)
		if !named {
			return Attr{}, refusal.NoSuchFile(name)
		}
		// Holding the lock of its name keeps the file from becoming visible.
		unlock := s.names.Lock(at, waiter.NameOf(dir, name))
		if now, still := s.nameOf(n); still && now == at {
			defer unlock()
			return s.linkHere(n, dir, name, comm)
		}
		unlock() // it was renamed in the meantime
	}
}

func (s *Store) linkHere(n *tree.Node, dir Ino, name, comm string) (Attr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, local, err := s.newNameLocked(dir, name, comm)
	if err != nil {
		return Attr{}, err
	}
	if !local || !n.Local() || d.Top() != n.Top() {
		return Attr{}, &Error{Kind: LocalOnly, Name: name, Detail: "the service does not support hard links; only files that stay on this machine can have several names"}
	}
	// The kernel caches a name for long only if it is the file's only one: with several names,
	// one of them may later become another file.
	s.changes.add(Changed{Dir: n.Parent.Ino, Entries: []string{n.Name}})
	s.linkLocked(d, name, n)
	n.Ctime = d.Ctime
	return n.Attr(), nil
}

// notMade explains why the service did not make a directory in d, from a tree that it fetches.
func (s *Store) notMade(ctx context.Context, d *tree.Node, parent int64, name string, err error) error {
	if cause.ForGood(err) && s.refreshPatiently(ctx) == nil {
		s.mu.RLock()
		defer s.mu.RUnlock()
		if d.ID != parent || d.Parent == nil && d != s.root {
			err = refusal.NoSuchFile(d.Name)
		} else if d.Children[name] != nil {
			err = refusal.NameTaken(name)
		}
	}
	return err
}
