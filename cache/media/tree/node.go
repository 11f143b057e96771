package tree

import (
	"path"
	"slices"
	"sync/atomic"
	"time"

	"paperfs/cache/media/inode"
)

// Link is one name of a node.
type Link struct {
	Dir  *Node
	Name string
}

// Node is an inode in memory. Store.mu guards everything but its Body, and Ino and
// Kind, which never change. There is one for each file of the service: what
// only directories have, or few nodes, is apart.
type Node struct {
	Ino     inode.Ino
	Kind    inode.FileKind
	state   State
	Written bool // there is local content: it is what is shown
	Known   bool // the kernel may still open it, though it was removed here

	Answered bool // false but while an answer of the service is compared

	Mode                uint16
	UID, GID            int64
	Atime, Mtime, Ctime inode.Instant

	Parent *Node // nil for the root and for what has no name any more
	Name   string
	*Dir
	*Extra

	Pub     Version              // of a file
	content atomic.Pointer[Body] // of a file; made by body
}

// Dir is what a directory has.
type Dir struct {
	ID       int64            // at the service, 0 for the root and for local ones
	Version  uint32           // counts the names that came or went
	subdirs  int              // directories right below it
	Children map[string]*Node // nil where there was never one
	Folded   map[string]*Node // those that are not local and whose folded name is another, by that
}

// Extra is what few nodes have. It is read as the node's own, and written
// through Own.
type Extra struct {
	Also        []Link    // further names, which only scratch has
	Target      string    // of a symbolic link
	Size        int64     // of the local content while there is one
	Copied      bool      // the database has a copy of the content, or gets it
	Delivery    *Delivery // while it is queued, from the end of Open on
	CancelledAt uint64    // number of the change that took it out of the queue, until that is known to be on disk
	Lost        string    // path of a file that others deleted at the service while it was open here
	Was         string    // the last path of what was removed here, while somebody may have it open
	Beside      bool      // that was a local file beside a database, which has another content now
	Handles     int       // open handles
	Writers     int       // those of them that may write
	Blank       bool      // it is open for writing, was made or emptied so, and nothing is written yet: it is empty here, though others may have put something there
	Intent      bool      // it is about to be deleted at the service, and has content here that is sent if this run ends before
	Making      int       // requests under way that make it, a directory, at the service
	Writes      uint64    // counts the writes here
	Changed     uint64    // number of our last change to it at the service: an older GetTree does not overwrite it
}

// What nodes have that have none of it.
var (
	NoDir   Dir
	NoExtra Extra
)

// OwnMode marks the mode of a node to which somebody here has given one.
const OwnMode = 1 << 15

// Permissions are the mode without that.
func (n *Node) Permissions() uint32 { return uint32(n.Mode & 0o7777) }

// NewNode makes an inode without a name.
func NewNode(ino inode.Ino, kind inode.FileKind) *Node {
	n := &Node{Ino: ino, Kind: kind, Dir: &NoDir, Extra: &NoExtra}
	if kind == inode.Directory {
		n.Dir = new(Dir)
	}
	return n
}

// Own is the node's own Extra, to be written.
func (n *Node) Own() *Extra {
	if n.Extra == &NoExtra {
		n.Extra = new(Extra)
	}
	return n.Extra
}

// Body is the content of a file, which has locks of its own.
func (n *Node) Body() *Body {
	if b := n.content.Load(); b != nil {
		return b
	}
	n.content.CompareAndSwap(nil, new(Body))
	return n.content.Load()
}

// AtService reports whether the service has something of this node.
func (n *Node) AtService() bool { return n.ID != 0 || n.Pub.ID != 0 }

// Path is the node's path below media/; Store.mu must be held.
func (n *Node) Path() string {
	if n.Parent == nil {
		return ""
	}
	return path.Join(n.Parent.Path(), n.Name)
}

// Named reports whether a name in a directory is one of n's; Store.mu must be
// held.
func (n *Node) Named(dir inode.Ino, name string) bool {
	return n.Parent != nil && n.Parent.Ino == dir && n.Name == name ||
		slices.ContainsFunc(n.Also, func(l Link) bool { return l.Dir.Ino == dir && l.Name == name })
}

// Within reports whether n is dir or lies below it; Store.mu must be held.
func (n *Node) Within(dir *Node) bool {
	for ; n != nil; n = n.Parent {
		if n == dir {
			return true
		}
	}
	return false
}

// Attach gives n a name in dir, beside those that it has; Store.mu must be held
// and the name be free.
func (dir *Node) Attach(name string, n *Node) {
	if n.Parent != nil {
		n.Own().Also = append(n.Also, Link{n.Parent, n.Name})
	}
	n.Parent, n.Name = dir, name
	if dir.Children == nil {
		dir.Children = make(map[string]*Node)
	}
	dir.Version++
	dir.Children[name] = n
	if n.Kind == inode.Directory {
		dir.subdirs++
	}
	if !n.Local() {
		dir.Fold(n)
	}
}

// Detach takes n's name, the only one; Store.mu must be held.
func (n *Node) Detach() { n.Unname(Link{n.Parent, n.Name}) }

// Unname takes one of n's names; Store.mu must be held.
func (n *Node) Unname(at Link) {
	at.Dir.Version++
	delete(at.Dir.Children, at.Name)
	if n.Kind == inode.Directory {
		at.Dir.subdirs--
	}
	at.Dir.unfold(n, at.Name)
	switch {
	case at != Link{n.Parent, n.Name}:
		n.Own().Also = slices.DeleteFunc(n.Also, func(l Link) bool { return l == at })
	case len(n.Also) > 0:
		n.Parent, n.Name = n.Also[0].Dir, n.Also[0].Name
		n.Own().Also = n.Also[1:]
	default:
		n.Parent = nil
	}
}

// Fold has n found by its folded name; Store.mu must be held.
func (dir *Node) Fold(n *Node) {
	folded := Fold(n.Name)
	if folded == n.Name {
		return
	}
	if dir.Folded == nil {
		dir.Folded = make(map[string]*Node)
	}
	dir.Folded[folded] = n
}

// unfold undoes fold for n, which has or had that name; Store.mu must be held.
func (dir *Node) unfold(n *Node, name string) {
	if folded := Fold(name); dir.Folded[folded] == n {
		delete(dir.Folded, folded)
	}
}

// Made reports whether things can be put into a directory at the service;
// Store.mu must be held.
func (dir *Node) Made() bool { return dir.Ino == inode.Root || dir.ID != 0 }

// Delivery is a queued node as the outbox knows it. Another one begins with each
// time that the node is queued. Store.mu guards it.
type Delivery struct {
	Node      *Node
	Spool     uint64 // serial of the queued spool of a file; 0: nothing of it is durable yet
	Size      int64  // of that
	Kept      string // of that, as of a spool.File
	Canceller *Canceller
	Doubted   time.Time // when it first failed doubtfully, while the service answers; zero: it did not
	Fail      *Failure  // it goes to failed/ for this, not to the service, once that can be written; nil for most
}

// State is the node's state, which On alone changes; Store.mu must be held.
func (n *Node) State() State { return n.state }

// On has something happen to n; Store.mu must be held.
func (n *Node) On(ev Event) {
	to, known := Transitions[n.state][ev]
	if OnEvent != nil {
		OnEvent(n.state, ev, known)
	}
	if known {
		n.state = to
	}
}

// Local reports whether n stays on this machine; Store.mu must be held.
func (n *Node) Local() bool { return n.state == Scratch }

// Queued reports whether n is in the queue; Store.mu must be held.
func (n *Node) Queued() bool {
	return n.state == Pending || n.state == Rewritten || n.state == Stuck
}

// Dirty reports whether something was written to n that the service has not got;
// Store.mu must be held.
func (n *Node) Dirty() bool { return n.state == Dirty || n.Queued() || n.state == Strayed }

// Sendable reports whether a queued node can be sent, as far as it is the node's;
// Store.mu must be held.
func (n *Node) Sendable() bool {
	return n.Delivery != nil && n.Writers == 0 && n.Parent != nil && n.Parent.Made()
}
