package papers

import (
	"context"
	"strings"
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
// category.drop), and is dropped by it. And the positions of two trees differ,
// so that the kernel never joins what it kept of one to what it reads of the
// other.
type listing struct {
	category *category
	tree     *catalogue.Snapshot // nil: reading has not begun
	dots     int                 // how many of self and above were given
	children catalogue.Children  // behind them
	suffixed bool                // a category among them has the name of a paper's directory
	entry    fuse.DirEntry       // the last one, and
	child    catalogue.Child     // what it stands for
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
		return c.Tell.Tell("list", virtual.Path(&c.Inode), c.nodeID(), err)
	}
	l.read(s)
	return 0
}

func (l *listing) read(s *catalogue.Snapshot) {
	l.tree, l.dots, l.children = s, 0, s.EachChild(l.category.nodeID())
	l.suffixed = false
	for all := l.children; !l.suffixed; {
		n, ok := all.Next()
		if !ok || n.Kind != remote.CategoryNode { // papers come behind the categories
			return
		}
		l.suffixed = strings.HasSuffix(n.Name, suffix)
	}
}

func (l *listing) Readdirent(ctx context.Context) (*fuse.DirEntry, syscall.Errno) {
	if l.tree == nil {
		if errno := l.begin(ctx); errno != 0 {
			return nil, errno
		}
	}
	l.entry = fuse.DirEntry{Mode: syscall.S_IFDIR}
	if l.dots < 2 {
		l.dot()
		return &l.entry, 0
	}
	child, ok := l.children.Next()
	if !ok {
		return nil, 0
	}
	l.child = child
	l.entry.Name, l.entry.Ino, l.entry.Off = l.name(child), inode.Node(child.Kind, child.ID), position(l.tree, child.ID)
	return &l.entry, 0
}

func (l *listing) dot() {
	if l.dots++; l.dots == 1 {
		l.entry.Name, l.entry.Ino, l.entry.Off = ".", l.category.StableAttr().Ino, position(l.tree, self)
		return
	}
	l.entry.Name, l.entry.Ino, l.entry.Off = "..", inode.Root, position(l.tree, above)
	if _, parent := l.category.Parent(); parent != nil {
		l.entry.Ino = parent.StableAttr().Ino
	}
}

// name is nameOf with a glance first: a child that is alone with its name has
// its plain one, but where a category might look like the paper.
func (l *listing) name(child catalogue.Child) string {
	if !child.Alone || l.suffixed {
		return nameOf(l.tree, child.Node)
	}
	return among(child.Node, plain(child.Node), false)
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

// Seekdir goes on after a position; the beginning is read again. A position of
// another tree comes from what the kernel kept, and has since dropped.
// Where that tree was replaced long ago, that child may be elsewhere, or gone,
// and then all is given again.
func (l *listing) Seekdir(ctx context.Context, off uint64) syscall.Errno {
	if off == 0 {
		l.tree = nil
		return 0
	}
	ofPosition := func(s *catalogue.Snapshot) bool { return generation(s) == off&^childMask }
	if l.tree == nil || !ofPosition(l.tree) {
		if l.tree = l.category.Catalogue.Recent(ofPosition); l.tree == nil {
			if errno := l.begin(ctx); errno != 0 {
				return errno
			}
		}
	}
	l.read(l.tree)
	if !l.skip(off & childMask) {
		l.read(l.tree)
	}
	return 0
}

// skip goes on to behind a child; it reports whether there is that child.
func (l *listing) skip(child uint64) bool {
	l.dots = 2
	switch child {
	case self:
		l.dots = 1
		return true
	case above:
		return true
	}
	for {
		n, ok := l.children.Next()
		if !ok || uint64(n.ID)&childMask == child {
			return ok
		}
	}
}

// Lookup makes the inode of a child that Readdirent has given, the last one but
// where the kernel goes back by some. A name of an older tree leads to what it
// is now: of what changed since the kernel has been told already, and would keep
// what it is given again.
func (l *listing) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if now := l.category.Catalogue.Peek(); name != l.entry.Name || now != l.tree {
		n, ok := find(now, l.category.nodeID(), name)
		if !ok {
			return nil, syscall.ENOENT
		}
		return l.category.child(ctx, n, l.category.since(n.ID)(), out), 0
	}
	return l.category.child(ctx, l.child.Node, l.child.Seen, out), 0
}
