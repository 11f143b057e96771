package names

import (
	"strings"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// DirectoryLocked returns the directory with a number; Mu must be held.
func (s *Tree) DirectoryLocked(ino inode.Ino) (*tree.Node, error) {
	n := s.Nodes[ino]
	switch {
	case n == nil:
		return nil, refusal.NoSuchFile("")
	case n.Kind != inode.Directory:
		return nil, &refusal.Error{Kind: refusal.NotDirectory, Name: n.Name, Detail: "not a directory"}
	}
	return n, nil
}

// FindLocked returns the node at a path below media/, or nil; Mu must be held.
func (s *Tree) FindLocked(path string) *tree.Node {
	n := s.Root
	for name := range strings.SplitSeq(path, "/") {
		if name != "" && n != nil {
			n = n.Children[name]
		}
	}
	return n
}

// ChildLocked returns the entry called name of a directory; Mu must be held.
func (s *Tree) ChildLocked(dir inode.Ino, name string) (*tree.Node, error) {
	d, err := s.DirectoryLocked(dir)
	if err != nil {
		return nil, err
	}
	if n := d.Children[name]; n != nil {
		return n, nil
	}
	return nil, refusal.NoSuchFile(name)
}

// ScratchLocked reports whether a file that comm creates as name in dir stays local; Tree.Mu
// must be held.
func (s *Tree) ScratchLocked(dir *tree.Node, name, comm string) bool {
	return dir.Local() || s.o.Names.Local(name, comm, dir.HasFile)
}

// NewNameLocked checks that name can be created in a directory, and reports whether it stays
// local; Mu must be held.
func (s *Tree) NewNameLocked(dir inode.Ino, name, comm string) (d *tree.Node, local bool, err error) {
	if d, err = s.DirectoryLocked(dir); err != nil {
		return nil, false, err
	}
	if d.Parent == nil && d != s.Root {
		return nil, false, refusal.NoSuchFile(name)
	}
	if local = s.ScratchLocked(d, name, comm); !local {
		err = tree.CheckName(name)
	} else if len(name) > tree.LongestName {
		err = &refusal.Error{Kind: refusal.TooLong, Name: name, Detail: "the name is longer than 255 bytes"}
	}
	if err != nil {
		return nil, false, err
	}
	return d, local, d.Free(name, local)
}

// NewNodeLocked creates an inode without a name; Mu must be held.
func (s *Tree) NewNodeLocked(kind inode.FileKind, mode uint32, uid, gid int64) *tree.Node {
	s.LastIno++
	now := s.Now()
	n := tree.NewNode(s.LastIno, kind)
	n.Mode, n.UID, n.GID = uint16(mode&(0o7777|tree.OwnMode)), uid, gid
	n.Atime, n.Mtime, n.Ctime = now, now, now
	s.Nodes[n.Ino] = n
	return n
}

// LinkLocked adds a name to n; Mu must be held. It returns the number of the change, as
// SaveLocked does.
func (s *Tree) LinkLocked(dir *tree.Node, name string, n *tree.Node) uint64 {
	if n.Kind == inode.File && n.PDF == nil && dir.InPapers(s.Papers) {
		n.Own().PDF = new(tree.PDF)
	}
	dir.Attach(name, n)
	now := s.Now()
	dir.Mtime, dir.Ctime = now, now
	s.OfferLocked(n)
	s.SaveLocked(dir)
	return s.SaveLocked(n)
}

// UnlinkLocked removes n's only name; Mu must be held.
func (s *Tree) UnlinkLocked(n *tree.Node) {
	now := s.Now()
	n.Parent.Mtime, n.Parent.Ctime = now, now
	s.SaveLocked(n.Parent)
	if n.Theirs.ID != 0 {
		s.GetTree.Stale = true // the name shows it now
	}
	if n.Handles > 0 {
		n.Own().Was = n.Path()
	}
	n.Detach()
	s.EndLocked(n)
}

// EndLocked updates the state of n after its last name was removed; Mu must be held. The
// inode itself is dropped with its last handle.
func (s *Tree) EndLocked(n *tree.Node) {
	s.unindexLocked(n)
	s.SetQueuedLocked(n, false)
	n.On(tree.Unlinked)
	s.SaveLocked(n)
	if n.Handles == 0 {
		delete(s.Nodes, n.Ino)
	}
}

// VersionsLocked records which version the content of n was begun on, and which one others have put there since;
// Mu must be held.
func (s *Tree) VersionsLocked(n *tree.Node, pub, theirs tree.Version) {
	s.unindexLocked(n)
	if n.Pub = pub; n.Theirs != theirs {
		n.Own().Theirs = theirs
	}
	s.IndexLocked(n)
}

// IndexLocked adds n to the maps by service id; Mu must be held.
func (s *Tree) IndexLocked(n *tree.Node) {
	if n.ID != 0 {
		s.Dirs[n.ID] = n
	}
	if id := n.Latest().ID; id > 0 { // that of a PDF is none
		s.Files[id] = n
	}
}

// unindexLocked undoes IndexLocked; Mu must be held.
func (s *Tree) unindexLocked(n *tree.Node) {
	if id := n.Latest().ID; s.Files[id] == n {
		delete(s.Files, id)
	}
	if s.Dirs[n.ID] == n {
		delete(s.Dirs, n.ID)
	}
}
