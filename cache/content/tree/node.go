package tree

import (
	"cmp"
	"path"
	"slices"
	"sync/atomic"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/outbox"
	"paperfs/remote"
)

// Link is one name of a node.
type Link struct {
	Dir  *Node
	Name string
}

// Node is an inode in memory. Tree.Mu guards everything except Body, and Ino and Kind, which
// never change. There is one for each file at the service, so fields that only directories or
// few nodes need are kept in Dir and Extra.
type Node struct {
	Ino     inode.Ino
	Kind    inode.FileKind
	state   State
	Written bool // local content exists and is shown; of a node that is an orphan: the service lacks it
	Known   bool // the kernel knows the inode and may open it even after its removal

	Answered bool // set only during a reconciliation: the answer has it

	Mode                uint16
	UID, GID            int64
	Atime, Mtime, Ctime inode.Instant

	Parent *Node // nil for the root and for nodes without a name
	Name   string
	*Dir
	*Extra

	Pub     Version              // of a file: its content at the service
	content atomic.Pointer[Body] // of a file; created by Body
}

// Dir has the fields of directories.
type Dir struct {
	ID       int64            // at the service, 0 for the root and for local ones
	Mark     remote.Version   // as in Version
	Version  uint32           // counts added and removed names
	Place    string           // of the twin of a category or paper: where that is, from the mount's root, with a leading slash
	Unsure   bool             // of such a twin: a PDF that was removed may still arrive in the paper
	subdirs  int              // number of direct subdirectories
	Children map[string]*Node // nil if there never was one
	Folded   map[string]*Node // non-local children whose folded name differs from their name, by folded name
}

// Extra has the fields that few nodes need. They are read through the node and written through
// Own.
type Extra struct {
	Also        []Link    // further names; only scratch has them
	Target      string    // of a symbolic link
	Size        int64     // of the local content, if there is any
	Theirs      Version   // what others put under the name since the local content was begun on Pub; zero: nothing
	Draft       uint64    // serial of the newest spool, which may be gone; 0: none
	Copied      bool      // the database has, or will have, a copy of the content
	Delivery    *Delivery // set while the node is queued, or is to be finalized again, once Open has returned
	CancelledAt uint64    // number of the change that removed it from the queue, until that change is synced
	Lost        string    // last path of a file that lost its name, but not by a local program
	Why         Verdict   // why what is written to such a file is not published
	Protected   time.Time // when it got its name from a file whose close failed, because others have put this version there; zero: never
	Notified    bool      // the kernel knows that the name does not show it any more
	Was         string    // last path of a file that was removed locally and may be open
	Handles     int       // open handles
	Writers     int       // handles that may write
	Blank       bool      // open for writing, created or truncated, and not written yet: shown as empty, whatever the service has
	Intent      bool      // about to be deleted at the service; its local content is sent if this run ends first
	Making      int       // requests in progress that create this directory at the service
	PDF         *PDF      // set if it is a file below papers/; never changes
	Checked     time.Time // of a directory: when the service last refused an upload to it and a GetTree then checked that it exists; by Store.aging
	Writes      uint64    // counts local writes
	Changed     uint64    // serial of this mount's last change to it at the service; an older GetTree does not overwrite it
}

// NoDir and NoExtra are shared by nodes that have no fields of their own.
var (
	NoDir   Dir
	NoExtra Extra
)

// OwnMode marks a mode that was set locally.
const OwnMode = 1 << 15

// Permissions returns the mode without OwnMode.
func (n *Node) Permissions() uint32 { return uint32(n.Mode & 0o7777) }

// NewNode creates an inode without a name.
func NewNode(ino inode.Ino, kind inode.FileKind) *Node {
	n := &Node{Ino: ino, Kind: kind, Dir: &NoDir, Extra: &NoExtra}
	if kind == inode.Directory {
		n.Dir = new(Dir)
	}
	return n
}

// Own returns n's own Extra, for writing.
func (n *Node) Own() *Extra {
	if n.Extra == &NoExtra {
		n.Extra = new(Extra)
	}
	return n.Extra
}

// Body returns the content of a file, which has its own locks.
func (n *Node) Body() *Body {
	if b := n.content.Load(); b != nil {
		return b
	}
	n.content.CompareAndSwap(nil, new(Body))
	return n.content.Load()
}

// AtService reports whether the service has this node.
func (n *Node) AtService() bool { return n.ID != 0 || n.Pub.ID != 0 }

// Path returns the path below media/; Tree.Mu must be held.
func (n *Node) Path() string {
	switch {
	case n.Parent == nil:
		return ""
	case n.IsPDF():
		return n.PDF.Path
	case n.Place != "":
		return n.Place
	}
	return path.Join(n.Parent.Path(), n.Name)
}

// Latest returns the version that the service has under n's name, as far as is known; Tree.Mu must
// be held.
func (n *Node) Latest() Version {
	if n.Theirs.ID != 0 {
		return n.Theirs
	}
	return n.Pub
}

// LastPath is Path, or of a file that lost its name the path that it had.
func (n *Node) LastPath() string { return cmp.Or(n.Lost, n.Path()) }

// Named reports whether n has the given name in the directory with number dir; Tree.Mu must be
// held.
func (n *Node) Named(dir inode.Ino, name string) bool {
	return n.Parent != nil && n.Parent.Ino == dir && n.Name == name ||
		slices.ContainsFunc(n.Also, func(l Link) bool { return l.Dir.Ino == dir && l.Name == name })
}

// Within reports whether n is dir or lies below it; Tree.Mu must be held.
func (n *Node) Within(dir *Node) bool {
	for ; n != nil; n = n.Parent {
		if n == dir {
			return true
		}
	}
	return false
}

// Top returns the directory above all others on the path of n; Tree.Mu must be held.
func (n *Node) Top() *Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// Attach adds a name in dir to n; Tree.Mu must be held, and the name must be free.
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

// Detach removes n's only name; Tree.Mu must be held.
func (n *Node) Detach() { n.Unname(Link{n.Parent, n.Name}) }

// Unname removes one of n's names; Tree.Mu must be held.
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

// Fold makes n findable by its folded name; Tree.Mu must be held.
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

// unfold undoes Fold for n, which has or had that name; Tree.Mu must be held.
func (dir *Node) unfold(n *Node, name string) {
	if folded := Fold(name); dir.Folded[folded] == n {
		delete(dir.Folded, folded)
	}
}

// Made reports whether the directory exists at the service; Tree.Mu must be held.
func (dir *Node) Made() bool { return dir.Ino == inode.Root || dir.ID != 0 }

// Delivery is a queued node as a key of the outbox. Each time a node is queued, it gets a new
// one. Tree.Mu guards it.
type Delivery struct {
	Node         *Node
	Queue        *outbox.Outbox[*Delivery]
	Spool        uint64 // serial of a file's queued spool; 0: not durable yet
	Size         int64  // of that spool
	Kept         string // of that spool, as in spool.File
	Change       uint64 // number of the change that queued it in this run
	Outdated     bool   // its name no longer refers to newer content, which failed
	Canceller    *Canceller
	Since        time.Time // when it was queued; zero if an earlier run queued it
	Last         error     // of the attempt before, of a PDF
	Reported     error     // the failure that was reported last
	UnclearSince time.Time // first failure for an unclear reason while the service answers; zero: none
}

// State returns the node's state; Tree.Mu must be held.
func (n *Node) State() State { return n.state }

// On applies an event to n's state; Tree.Mu must be held.
func (n *Node) On(ev Event) {
	to, known := Transitions[n.state][ev]
	if OnEvent != nil {
		OnEvent(n.state, ev, known)
	}
	if known {
		n.state = to
	}
}

// Local reports whether n stays on this machine; Tree.Mu must be held.
func (n *Node) Local() bool { return n.state == Scratch }

// Queued reports whether n is queued; Tree.Mu must be held.
func (n *Node) Queued() bool {
	return n.state == Pending || n.state == Rewritten
}

// Dirty reports whether n has local content that the service lacks; Tree.Mu must be held.
func (n *Node) Dirty() bool { return n.state == Dirty || n.Queued() || n.Stray() }

// Stray reports whether no name shows n, and its content goes to failed/; Tree.Mu must be held.
func (n *Node) Stray() bool { return n.Spooled() && n.Written }

// Spooled reports whether no name shows n, and there may be a spool of it, so that it has a row;
// Tree.Mu must be held.
func (n *Node) Spooled() bool { return n.state == Orphan && n.Lost != "" && n.Draft != 0 }

// Holds reports whether n has content of local programs, if only that they emptied it, so that it
// keeps its name when the service has another version; Tree.Mu must be held.
func (n *Node) Holds() bool { return n.Dirty() || n.Blank }

// Sendable reports whether a queued node can be sent now, judging by the node alone; Tree.Mu
// must be held.
func (n *Node) Sendable() bool {
	return n.Delivery != nil && n.Writers == 0 && (n.Stray() || n.Parent != nil && n.Parent.Made())
}
