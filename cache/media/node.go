package media

import (
	"path"
	"slices"
	"sync/atomic"
	"time"

	"paperfs/cache/media/inode"
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
	atime, mtime, ctime inode.Instant

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

// made reports whether things can be put into a directory at the service;
// Store.mu must be held.
func (dir *node) made() bool { return dir.ino == Root || dir.id != 0 }

// delivery is a queued node as the outbox knows it. Another one begins with each
// time that the node is queued. Store.mu guards it.
type delivery struct {
	node      *node
	spool     uint64 // serial of the queued spool of a file; 0: nothing of it is durable yet
	canceller *canceller
	doubted   time.Time // when it first failed doubtfully, while the service answers; zero: it did not
	fail      *failed   // it goes to failed/ for this, not to the service, once that can be written; nil for most
}

// on has something happen to n; Store.mu must be held. Nothing else changes the
// state of a node that is in the tree.
func (n *node) on(ev event) {
	to, known := transitions[n.state][ev]
	if onEvent != nil {
		onEvent(n.state, ev, known)
	}
	if known {
		n.state = to
	}
}

// local reports whether n stays on this machine; Store.mu must be held.
func (n *node) local() bool { return n.state == scratch }

// queued reports whether n is in the queue; Store.mu must be held.
func (n *node) queued() bool {
	return n.state == pending || n.state == rewritten || n.state == stuck
}

// dirty reports whether something was written to n that the service has not got;
// Store.mu must be held.
func (n *node) dirty() bool { return n.state == dirty || n.queued() || n.state == strayed }
