package media

import (
	"slices"

	"paperfs/cache/media/namelock"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// This file is about what only scratch can be: symbolic links, pipes, sockets, and
// files with several names.

// Symlink makes a symbolic link.
func (s *Store) Symlink(dir Ino, name, target string, by New) (Attr, error) {
	return s.makeSpecial(dir, name, Symlink, target, by)
}

// Mknod makes a pipe or the name of a socket. What goes through them never
// comes here.
func (s *Store) Mknod(dir Ino, name string, kind FileKind, by New) (Attr, error) {
	return s.makeSpecial(dir, name, kind, "", by)
}

func (s *Store) makeSpecial(dir Ino, name string, kind FileKind, target string, by New) (Attr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, local, err := s.newNameLocked(dir, name, by.Comm)
	if err != nil {
		return Attr{}, err
	}
	if !local {
		return Attr{}, plan.LocalOnly(name, kind)
	}
	n := s.newNodeLocked(kind, by.Mode|tree.OwnMode, by.UID, by.GID)
	n.On(tree.Hidden)
	n.Own().Target = target
	s.linkLocked(d, name, n)
	return n.Attr(), nil
}

// Link gives a scratch file another scratch name.
func (s *Store) Link(ino, dir Ino, name string, comm string) (Attr, error) {
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
		// With its name locked, it does not become visible in that time.
		unlock := s.names.Lock(at, namelock.Of(dir, name))
		if now, still := s.nameOf(n); still && now == at {
			defer unlock()
			return s.linkHere(n, dir, name, comm)
		}
		unlock() // it was renamed while we waited
	}
}

func (s *Store) linkHere(n *tree.Node, dir Ino, name, comm string) (Attr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, local, err := s.newNameLocked(dir, name, comm)
	if err != nil {
		return Attr{}, err
	}
	if !local || !n.Local() {
		return Attr{}, &Error{Kind: LocalOnly, Name: name, Detail: "the service has no hard links; only files that stay on this machine can have several names"}
	}
	// The kernel keeps a name for long only where it is the only one: one of
	// several may become another file.
	s.changes.add(Changed{Dir: n.Parent.Ino, Entries: []string{n.Name}})
	s.linkLocked(d, name, n)
	n.Ctime = d.Ctime
	return n.Attr(), nil
}

// part has n, a scratch file that is about to become visible, keep none of its
// names but one: the others get a copy. That one is locked. What
// has the file open stays with n.
func (s *Store) part(n *tree.Node, keep tree.Link) error {
	s.mu.Lock()
	if len(n.Also) == 0 {
		s.mu.Unlock()
		return nil
	}
	copied := s.newNodeLocked(File, uint32(n.Mode), n.UID, n.GID)
	s.mu.Unlock()
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if err := s.copyBody(n, copied); err != nil {
		s.mu.Lock()
		delete(s.nodes, copied.Ino)
		s.mu.Unlock()
		return err
	}
	s.mu.Lock()
	names := append(slices.Clone(n.Also), tree.Link{Dir: n.Parent, Name: n.Name})
	copied.On(tree.Hidden)
	copied.Own().Size, copied.Written = n.Size, n.Written
	copied.Atime, copied.Mtime, copied.Ctime = n.Atime, n.Mtime, n.Ctime
	for _, at := range names {
		if at == keep || keep.Dir.Children[keep.Name] != n {
			continue
		}
		n.Unname(at)
		at.Dir.Attach(at.Name, copied)
		s.changes.add(Changed{Dir: at.Dir.Ino, Entries: []string{at.Name}})
	}
	if copied.Parent == nil { // its names went since
		delete(s.nodes, copied.Ino)
		s.mu.Unlock()
		s.spools.Drop(copied.Body().Spool)
		return nil
	}
	s.saveLocked(n)
	s.saveLocked(copied)
	s.mu.Unlock()
	return nil
}

// copyBody gives a new file the content of n, whose body.mu must be held.
func (s *Store) copyBody(n, copied *tree.Node) (err error) {
	sp := n.Body().Spool
	if sp == nil {
		copied.Body().Spool, err = s.spools.Create(copied.Ino)
		return err
	}
	open := sp.F != nil
	if err := sp.Open(); err != nil {
		return err
	}
	copied.Body().Spool, err = s.spools.From(copied.Ino, sp.F, sp.Size)
	if err == nil {
		copied.Body().Spool.Close()
	}
	if !open {
		sp.Close()
	}
	return err
}
