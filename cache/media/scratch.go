package media

import (
	"slices"

	"paperfs/cache/media/namelock"
	"paperfs/cache/media/refusal"
)

// This file holds what only scratch can be: symbolic links, pipes, sockets, and
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
	d, local, err := s.placeForLocked(dir, name, by.Comm)
	if err != nil {
		return Attr{}, err
	}
	if !local {
		return Attr{}, localOnly(name, kind)
	}
	n := s.newNodeLocked(kind, by.Mode|ownMode, by.UID, by.GID)
	n.on(hidden)
	n.own().target = target
	s.linkLocked(d, name, n)
	return n.attr(), nil
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
		// With its place locked, it does not become visible meanwhile.
		unlock := s.names.Lock(at, namelock.Of(dir, name))
		if now, still := s.nameOf(n); still && now == at {
			defer unlock()
			return s.linkHere(n, dir, name, comm)
		}
		unlock() // it was renamed while we waited
	}
}

func (s *Store) linkHere(n *node, dir Ino, name, comm string) (Attr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, local, err := s.placeForLocked(dir, name, comm)
	if err != nil {
		return Attr{}, err
	}
	if !local || !n.local() {
		return Attr{}, &Error{Kind: LocalOnly, Name: name, Detail: "the service has no hard links; only files that stay on this machine can have several names"}
	}
	// The kernel keeps a name for long only where it is the only one: one of
	// several may become another file.
	s.changes.add(Changed{Dir: n.parent.ino, Entries: []string{n.name}})
	s.linkLocked(d, name, n)
	n.ctime = d.ctime
	return n.attr(), nil
}

// part has n, a scratch file that is about to become visible, keep none of its
// names but one: the others get a copy. The place of the one is locked. What
// has the file open stays with n.
func (s *Store) part(n *node, keep link) error {
	s.mu.Lock()
	if len(n.also) == 0 {
		s.mu.Unlock()
		return nil
	}
	copied := s.newNodeLocked(File, uint32(n.mode), n.uid, n.gid)
	s.mu.Unlock()
	b := n.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := s.copyBody(n, copied); err != nil {
		s.mu.Lock()
		delete(s.nodes, copied.ino)
		s.mu.Unlock()
		return err
	}
	s.mu.Lock()
	names := append(slices.Clone(n.also), link{n.parent, n.name})
	copied.on(hidden)
	copied.own().size, copied.written = n.size, n.written
	copied.atime, copied.mtime, copied.ctime = n.atime, n.mtime, n.ctime
	for _, at := range names {
		if at == keep || keep.dir.children[keep.name] != n {
			continue
		}
		n.unname(at)
		at.dir.attach(at.name, copied)
		s.changes.add(Changed{Dir: at.dir.ino, Entries: []string{at.name}})
	}
	if copied.parent == nil { // names went meanwhile
		delete(s.nodes, copied.ino)
		s.mu.Unlock()
		s.spools.Drop(copied.body().spool)
		return nil
	}
	s.keepLocked(n)
	s.keepLocked(copied)
	s.mu.Unlock()
	return nil
}

// copyBody gives a new file the content of n, whose body.mu must be held.
func (s *Store) copyBody(n, copied *node) (err error) {
	sp := n.body().spool
	if sp == nil {
		copied.body().spool, err = s.spools.Create(copied.ino)
		return err
	}
	open := sp.F != nil
	if err := sp.Open(); err != nil {
		return err
	}
	copied.body().spool, err = s.spools.From(copied.ino, sp.F, sp.Size)
	if err == nil {
		copied.body().spool.Close()
	}
	if !open {
		sp.Close()
	}
	return err
}
