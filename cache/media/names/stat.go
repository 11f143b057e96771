package names

import (
	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// Listed returns the attributes, without the path, of an entry that List returned for dir, and
// records that the kernel knows the inode. It makes no request, and fails with NotFound if the
// name refers to another inode by now.
func (s *Tree) Listed(dir inode.Ino, e *Entry) (inode.Attr, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	n := e.Node
	if !n.Named(dir, e.Name) {
		return inode.Attr{}, refusal.NoSuchFile(e.Name)
	}
	n.Known = true
	return n.Pathless(), nil
}

// Stat returns the attributes of an inode that has a name or an open handle. It makes no
// request.
func (s *Tree) Stat(ino inode.Ino) (inode.Attr, error) {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	n := s.Nodes[ino]
	if n == nil {
		return inode.Attr{}, refusal.NoSuchFile("")
	}
	if n.Handles == 0 && s.StaleLocked(n) {
		return n.Attr(), ErrStale
	}
	return n.Attr(), nil
}

// PathOf returns the path from the mount's root of a file or directory by the service's id, "" if no name shows it.
func (s *Tree) PathOf(id int64, dir bool) string {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	n := s.Files[id]
	if dir {
		n = s.Dirs[id]
	}
	if n == nil || n.Parent == nil {
		return ""
	}
	return "media/" + n.Path()
}

// Listing is a snapshot of a directory's entries.
type Listing struct {
	Version uint32 // of the directory; it changes whenever a name is added or removed
	Entries []Entry
}

// Entry is one name of a directory.
type Entry struct {
	// Offset orders the entries of a directory. It is above 1<<10, below 1<<OffsetBits, and
	// constant while the name exists.
	Offset uint64
	Name   string
	Ino    inode.Ino
	Kind   inode.FileKind
	Node   *tree.Node
}

// An offset is the inode number, shifted left by NamesBits, plus the index of the name among
// the inode's names in the directory.
const (
	NamesBits  = 10
	OffsetBits = 47
)
