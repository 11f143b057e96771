package media

import (
	"strings"

	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// directoryLocked returns the directory with a number; s.mu must be held.
func (s *Store) directoryLocked(ino Ino) (*tree.Node, error) {
	n := s.nodes[ino]
	switch {
	case n == nil:
		return nil, refusal.NoSuchFile("")
	case n.Kind != Directory:
		return nil, &Error{Kind: NotDirectory, Name: n.Name, Detail: "not a directory"}
	}
	return n, nil
}

// findLocked returns the node at a path below media/, or nil; s.mu must be held.
func (s *Store) findLocked(path string) *tree.Node {
	n := s.root
	for name := range strings.SplitSeq(path, "/") {
		if name != "" && n != nil {
			n = n.Children[name]
		}
	}
	return n
}

// childLocked returns the entry called name of a directory; s.mu must be held.
func (s *Store) childLocked(dir Ino, name string) (*tree.Node, error) {
	d, err := s.directoryLocked(dir)
	if err != nil {
		return nil, err
	}
	if n := d.Children[name]; n != nil {
		return n, nil
	}
	return nil, refusal.NoSuchFile(name)
}

// scratchLocked reports whether a file that comm creates as name in dir stays local; Store.mu
// must be held.
func (s *Store) scratchLocked(dir *tree.Node, name, comm string) bool {
	return dir.Local() || s.o.Names.Local(name, comm, dir.HasFile)
}

// newNameLocked checks that name can be created in a directory, and reports whether it stays
// local; s.mu must be held.
func (s *Store) newNameLocked(dir Ino, name, comm string) (d *tree.Node, local bool, err error) {
	if d, err = s.directoryLocked(dir); err != nil {
		return nil, false, err
	}
	if d.Parent == nil && d != s.root {
		return nil, false, refusal.NoSuchFile(name)
	}
	if local = s.scratchLocked(d, name, comm); !local {
		err = tree.CheckName(name)
	} else if len(name) > tree.LongestName {
		err = &Error{Kind: TooLong, Name: name, Detail: "the name is longer than 255 bytes"}
	}
	if err != nil {
		return nil, false, err
	}
	return d, local, d.Free(name, local)
}

// newNodeLocked creates an inode without a name; s.mu must be held.
func (s *Store) newNodeLocked(kind FileKind, mode uint32, uid, gid int64) *tree.Node {
	s.lastIno++
	now := s.now()
	n := tree.NewNode(s.lastIno, kind)
	n.Mode, n.UID, n.GID = uint16(mode&(0o7777|tree.OwnMode)), uid, gid
	n.Atime, n.Mtime, n.Ctime = now, now, now
	s.nodes[n.Ino] = n
	return n
}

// linkLocked adds a name to n; s.mu must be held. It returns the number of the change, as
// saveLocked does.
func (s *Store) linkLocked(dir *tree.Node, name string, n *tree.Node) uint64 {
	if n.Kind == File && n.PDF == nil && dir.InPapers(s.papers) {
		n.Own().PDF = new(PDF)
	}
	dir.Attach(name, n)
	now := s.now()
	dir.Mtime, dir.Ctime = now, now
	s.offerLocked(n)
	s.saveLocked(dir)
	return s.saveLocked(n)
}

// unlinkLocked removes n's only name; s.mu must be held.
func (s *Store) unlinkLocked(n *tree.Node) {
	now := s.now()
	n.Parent.Mtime, n.Parent.Ctime = now, now
	s.saveLocked(n.Parent)
	if n.Theirs.ID != 0 {
		s.getTree.stale = true // the name shows it now
	}
	if n.Handles > 0 {
		n.Own().Was = n.Path()
	}
	n.Detach()
	s.endLocked(n)
}

// endLocked updates the state of n after its last name was removed; s.mu must be held. The
// inode itself is dropped with its last handle.
func (s *Store) endLocked(n *tree.Node) {
	s.unindexLocked(n)
	s.setQueuedLocked(n, false)
	n.On(tree.Parted)
	s.saveLocked(n)
	if n.Handles == 0 {
		delete(s.nodes, n.Ino)
	}
}

// versionsLocked records which version the content of n was begun on, and which one others have put there since;
// s.mu must be held.
func (s *Store) versionsLocked(n *tree.Node, pub, theirs tree.Version) {
	s.unindexLocked(n)
	if n.Pub = pub; n.Theirs != theirs {
		n.Own().Theirs = theirs
	}
	s.indexLocked(n)
}

// indexLocked adds n to the maps by service id; s.mu must be held.
func (s *Store) indexLocked(n *tree.Node) {
	if n.ID != 0 {
		s.dirs[n.ID] = n
	}
	if id := n.Latest().ID; id > 0 { // that of a PDF is none
		s.files[id] = n
	}
}

// unindexLocked undoes indexLocked; s.mu must be held.
func (s *Store) unindexLocked(n *tree.Node) {
	if id := n.Latest().ID; s.files[id] == n {
		delete(s.files, id)
	}
	if s.dirs[n.ID] == n {
		delete(s.dirs, n.ID)
	}
}
