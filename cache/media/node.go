package media

import (
	"path"
	"slices"
	"time"
)

// link is one name of a node.
type link struct {
	dir  *node
	name string
}

// version is a file's content as the service holds it.
type version struct {
	id      int64 // 0: the service has none
	size    int64 // exact bytes, -1 where unknown
	kb      int64
	sha256  string // empty where unknown
	url     string // empty where the service gives none
	modTime time.Time
}

// node is an inode in memory. Store.mu guards everything but body, which has
// locks of its own, and ino and kind, which never change.
type node struct {
	ino     Ino
	kind    FileKind
	version uint32 // of a directory: counts the names that came or went

	parent *node // nil for the root and for what has no name any more
	name   string
	also   []link // further names, which only scratch has
	local  bool   // stays on this machine

	id       int64            // a directory's at the service, 0 for the root and for local ones
	children map[string]*node // of a directory
	folded   map[string]*node // its children that are not local, by folded name

	pub     version // of a file
	size    int64   // of the local content while there is one
	written bool    // there is local content: it is what is shown
	dirty   bool    // it is not what the service holds
	queued  bool    // closed and waiting to be sent
	// delivery tells how the sending stands while it is queued.
	delivery *delivery
	copied   bool   // the database has a copy of the content, or gets it
	left     uint64 // number of the change that took it out of the queue, until that is known to be on disk
	lost     string // path of a file that others deleted at the service while it was open here
	known    bool   // the kernel may still open it, though it was removed here
	handles  int    // open handles
	writers  int    // those of them that may write
	body     *body  // of a file

	target       string // of a symbolic link
	mode         uint32
	uid, gid     int64
	atime, mtime time.Time
	ctime        time.Time

	changed uint64 // number of our last change to it at the service: an older GetTree does not overwrite it
}

// atService reports whether the service holds something under this node.
func (n *node) atService() bool { return n.id != 0 || n.pub.id != 0 }

// path is the node's path below media/; Store.mu must be held.
func (n *node) path() string {
	if n.parent == nil {
		return ""
	}
	return path.Join(n.parent.path(), n.name)
}

// within reports whether n is dir or lies below it; Store.mu must be held.
func (n *node) within(dir *node) bool {
	for ; n != nil; n = n.parent {
		if n == dir {
			return true
		}
	}
	return false
}

// attach gives n a name in dir, beside those that it has; Store.mu must be held
// and the name be free.
func (dir *node) attach(name string, n *node) {
	if n.parent != nil {
		n.also = append(n.also, link{n.parent, n.name})
	}
	n.parent, n.name = dir, name
	if dir.children == nil {
		dir.children = make(map[string]*node)
		dir.folded = make(map[string]*node)
	}
	dir.version++
	dir.children[name] = n
	if !n.local {
		dir.folded[fold(name)] = n
	}
}

// detach takes n's name, the only one; Store.mu must be held.
func (n *node) detach() { n.unname(link{n.parent, n.name}) }

// unname takes one of n's names; Store.mu must be held.
func (n *node) unname(at link) {
	at.dir.version++
	delete(at.dir.children, at.name)
	if folded := fold(at.name); at.dir.folded[folded] == n {
		delete(at.dir.folded, folded)
	}
	switch {
	case at != link{n.parent, n.name}:
		n.also = slices.DeleteFunc(n.also, func(l link) bool { return l == at })
	case len(n.also) > 0:
		n.parent, n.name = n.also[0].dir, n.also[0].name
		n.also = n.also[1:]
	default:
		n.parent = nil
	}
}

func (n *node) attr() Attr {
	a := n.pathless()
	a.Path = n.path()
	return a
}

// pathless is attr without the path.
func (n *node) pathless() Attr {
	a := Attr{
		Ino: n.ino, Kind: n.kind, Mode: n.mode, UID: n.uid, GID: n.gid,
		Atime: n.atime, Mtime: n.mtime, Ctime: n.ctime, Target: n.target,
		SizeKnown: true, ID: max(n.id, n.pub.id), SHA256: n.pub.sha256,
	}
	if n.parent != nil {
		a.Links = 1 + len(n.also)
	}
	switch n.kind {
	case Symlink:
		a.Size = int64(len(n.target))
	case File:
		a.Size, a.SizeKnown = n.shownSize()
	}
	switch {
	case n.local:
		a.Where = Local
	case n.queued:
		a.Where = Pending
	case n.kind == File && (n.dirty || n.pub.id == 0):
		a.Where = Writing
	default:
		a.Where = Published
	}
	return a
}

// shownSize is a file's size, and whether it is exact. One that is known in
// KB only and can be fetched shows 1 until it was: the smallest size that
// makes programs read a file whole.
func (n *node) shownSize() (int64, bool) {
	switch {
	case n.written || n.local || n.pub.id == 0:
		return n.size, true
	case n.pub.size >= 0:
		return n.pub.size, true
	case n.pub.url != "":
		return 1, false
	}
	return n.pub.kb * 1024, false
}
