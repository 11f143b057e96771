package media

import (
	"path"
	"slices"
	"sync/atomic"
)

// link is one name of a node.
type link struct {
	dir  *node
	name string
}

// node is an inode in memory. Store.mu guards everything but body, and ino and
// kind, which never change. There is one for each file of the service: what
// only directories have, or few nodes, is apart.
type node struct {
	ino     Ino
	kind    FileKind
	state   fileState
	written bool // there is local content: it is what is shown
	known   bool // the kernel may still open it, though it was removed here

	answered bool // false but while an answer of the service is compared

	mode                uint16
	uid, gid            int64
	atime, mtime, ctime instant

	parent *node // nil for the root and for what has no name any more
	name   string
	*holding
	*rest

	pub     version              // of a file
	content atomic.Pointer[body] // of a file; made by body
}

// holding is what a directory has.
type holding struct {
	id       int64            // at the service, 0 for the root and for local ones
	version  uint32           // counts the names that came or went
	subdirs  int              // directories right below it
	children map[string]*node // nil where there was never one
	folded   map[string]*node // those that are not local and whose folded name is another, by that
}

// rest is what few nodes have. It is read as the node's own, and written
// through own.
type rest struct {
	also     []link    // further names, which only scratch has
	target   string    // of a symbolic link
	size     int64     // of the local content while there is one
	copied   bool      // the database has a copy of the content, or gets it
	delivery *delivery // while it is queued, from the end of Open on
	left     uint64    // number of the change that took it out of the queue, until that is known to be on disk
	lost     string    // path of a file that others deleted at the service while it was open here
	handles  int       // open handles
	writers  int       // those of them that may write
	blank    bool      // it is open for writing, was made or emptied so, and nothing is written yet: it is empty here, whatever others put there meanwhile
	intent   bool      // it is about to be deleted at the service, and has content here that is sent if this run ends before
	making   int       // requests under way that make it, a directory, at the service
	writes   uint64    // counts the writes here
	changed  uint64    // number of our last change to it at the service: an older GetTree does not overwrite it
}

// What nodes have that have none of it.
var (
	noHolding holding
	noRest    rest
)

// ownMode marks the mode of a node to which somebody here has given one.
const ownMode = 1 << 15

// permissions are the mode without that.
func (n *node) permissions() uint32 { return uint32(n.mode & 0o7777) }

func newNode(ino Ino, kind FileKind) *node {
	n := &node{ino: ino, kind: kind, holding: &noHolding, rest: &noRest}
	if kind == Directory {
		n.holding = new(holding)
	}
	return n
}

// own is the node's rest, to be written.
func (n *node) own() *rest {
	if n.rest == &noRest {
		n.rest = new(rest)
	}
	return n.rest
}

// body is the content of a file, which has locks of its own.
func (n *node) body() *body {
	if b := n.content.Load(); b != nil {
		return b
	}
	n.content.CompareAndSwap(nil, new(body))
	return n.content.Load()
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

// named reports whether a name in a directory is one of n's; Store.mu must be
// held.
func (n *node) named(dir Ino, name string) bool {
	return n.parent != nil && n.parent.ino == dir && n.name == name ||
		slices.ContainsFunc(n.also, func(l link) bool { return l.dir.ino == dir && l.name == name })
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
		n.own().also = append(n.also, link{n.parent, n.name})
	}
	n.parent, n.name = dir, name
	if dir.children == nil {
		dir.children = make(map[string]*node)
	}
	dir.version++
	dir.children[name] = n
	if n.kind == Directory {
		dir.subdirs++
	}
	if !n.local() {
		dir.fold(n)
	}
}

// detach takes n's name, the only one; Store.mu must be held.
func (n *node) detach() { n.unname(link{n.parent, n.name}) }

// unname takes one of n's names; Store.mu must be held.
func (n *node) unname(at link) {
	at.dir.version++
	delete(at.dir.children, at.name)
	if n.kind == Directory {
		at.dir.subdirs--
	}
	at.dir.unfold(n, at.name)
	switch {
	case at != link{n.parent, n.name}:
		n.own().also = slices.DeleteFunc(n.also, func(l link) bool { return l == at })
	case len(n.also) > 0:
		n.parent, n.name = n.also[0].dir, n.also[0].name
		n.own().also = n.also[1:]
	default:
		n.parent = nil
	}
}

// fold has n found by its folded name; Store.mu must be held.
func (dir *node) fold(n *node) {
	folded := fold(n.name)
	if folded == n.name {
		return
	}
	if dir.folded == nil {
		dir.folded = make(map[string]*node)
	}
	dir.folded[folded] = n
}

// unfold undoes fold for n, which has or had that name; Store.mu must be held.
func (dir *node) unfold(n *node, name string) {
	if folded := fold(name); dir.folded[folded] == n {
		delete(dir.folded, folded)
	}
}

func (n *node) attr() Attr {
	a := n.pathless()
	if a.Path = n.path(); n.parent == nil && n.kind == File {
		a.Path = n.lost // where it was, if others have removed it
	}
	return a
}

// pathless is attr without the path.
func (n *node) pathless() Attr {
	a := Attr{
		Ino: n.ino, Kind: n.kind, Mode: n.permissions(), OwnMode: n.mode&ownMode != 0, UID: n.uid, GID: n.gid,
		Atime: n.atime.time(), Mtime: n.mtime.time(), Ctime: n.ctime.time(), Target: n.target,
		SizeKnown: true, ID: max(n.id, n.pub.id), SHA256: n.pub.sha256,
	}
	if n.parent != nil {
		a.Links = 1 + len(n.also)
		if n.kind == Directory && n.local() {
			a.Links += 1 + n.subdirs
		}
	}
	switch n.kind {
	case Symlink:
		a.Size = int64(len(n.target))
	case File:
		a.Size, a.SizeKnown = n.shownSize()
	}
	switch {
	case n.local(), n.state == removed && n.pub.id == 0, n.kind == Directory && !n.queued() && !n.made():
		a.Where = Local
	case n.queued():
		a.Where = Pending
	case n.kind == File && (n.dirty() || n.pub.id == 0):
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
	case n.written || n.local() || n.pub.id == 0 && !n.pub.gone():
		return n.size, true
	case n.blank:
		return 0, true
	case n.pub.size >= 0:
		return n.pub.size, true
	case n.pub.url.known():
		return 1, false
	}
	return max(n.pub.kb, 0) * 1024, false
}
