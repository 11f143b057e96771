package papers

import (
	"context"
	"slices"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/catalogue"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// listing is the handle of an opened category: its children in the tree that
// was served when the reading began, with attributes. It lists . and .. too:
// a listing without any entry would stay in the kernel's cache when it is told
// to drop it.
//
// The kernel keeps what is read here until it is told that the directory
// changed. So the tree is chosen when reading begins, not at open: what was
// read of an older one has reached the kernel before that notification (see
// notices.send), and is dropped by it. And the positions of two trees differ,
// so that the kernel never joins what it kept of one to what it reads of the
// other.
type listing struct {
	category *category
	opened   *catalogue.Snapshot // as served at open
	tree     *catalogue.Snapshot // nil: reading has not begun
	children []int64             // ids, behind self and above
	next     int
	last     remote.Node // what Readdirent gave
}

var (
	_ gofs.FileReaddirenter = (*listing)(nil)
	_ gofs.FileSeekdirer    = (*listing)(nil)
	_ gofs.FileLookuper     = (*listing)(nil)
)

// begin reads the tree that is served now.
func (l *listing) begin(ctx context.Context) syscall.Errno {
	c := l.category
	s, err := c.snapshot(ctx)
	if err != nil {
		return c.Tell.Tell("list", virtual.Path(&c.Inode), c.id(), err)
	}
	l.read(s)
	return 0
}

func (l *listing) read(s *catalogue.Snapshot) {
	l.tree, l.children, l.next = s, append(l.children[:0], self, above), 0
	s.EachChild(l.category.id(), func(n remote.Node) bool {
		l.children = append(l.children, n.ID)
		return true
	})
}

func (l *listing) Readdirent(ctx context.Context) (*fuse.DirEntry, syscall.Errno) {
	if l.tree == nil {
		if errno := l.begin(ctx); errno != 0 {
			return nil, errno
		}
	}
	if l.next >= len(l.children) {
		return nil, 0
	}
	id := l.children[l.next]
	l.next++
	e := &fuse.DirEntry{Mode: syscall.S_IFDIR, Off: position(l.tree, id)}
	switch id {
	case self:
		e.Name, e.Ino = ".", l.category.StableAttr().Ino
	case above:
		e.Name, e.Ino = "..", inode.Root
		if _, parent := l.category.Parent(); parent != nil {
			e.Ino = parent.StableAttr().Ino
		}
	default:
		l.last, _ = l.tree.Brief(id)
		e.Name, e.Ino = nameOf(l.tree, l.last), inode.Node(l.last.Kind, l.last.ID)
	}
	return e, 0
}

// A position is the child that was read last, below some bits of the tree's
// version.
const (
	childBits = 39
	childMask = 1<<childBits - 1

	self  = childMask - 1 // no ids
	above = childMask
)

func position(s *catalogue.Snapshot, id int64) uint64 { return generation(s) | uint64(id)&childMask }

func generation(s *catalogue.Snapshot) uint64 { return s.Version() << childBits &^ (1 << 63) }

// Seekdir goes on after a position; the beginning is read anew. A position of
// a handle that has read nothing comes from what the kernel kept, which is of
// the tree that was served at open, or of a later one. Where it is of neither
// that nor the one of now, that child may be elsewhere, or gone, and then all
// is given again.
func (l *listing) Seekdir(ctx context.Context, off uint64) syscall.Errno {
	if off == 0 {
		l.tree, l.next = nil, 0
		return 0
	}
	if l.tree == nil || generation(l.tree) != off&^childMask {
		if generation(l.opened) == off&^childMask {
			l.read(l.opened)
		} else if errno := l.begin(ctx); errno != 0 {
			return errno
		}
	}
	l.next = 1 + slices.IndexFunc(l.children, func(id int64) bool { return uint64(id)&childMask == off&childMask })
	return 0
}

// Lookup makes the inode of the child that Readdirent has just given.
func (l *listing) Lookup(ctx context.Context, _ string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return l.category.child(ctx, l.last, out), 0
}
