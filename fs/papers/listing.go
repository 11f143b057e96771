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
// was served when the reading began, with attributes.
//
// The kernel keeps what is read here until it is told that the directory
// changed. So the tree is chosen when reading begins, not at open: what was
// read of an older one has reached the kernel before that notification (see
// notices.send), and is dropped by it. And the positions of two trees differ,
// so that the kernel never joins what it kept of one to what it reads of the
// other.
type listing struct {
	category *category
	tree     *catalogue.Snapshot // nil: reading has not begun
	children []int64
	next     int
	last     remote.Node // what Readdirent gave
}

var (
	_ gofs.FileReaddirenter = (*listing)(nil)
	_ gofs.FileSeekdirer    = (*listing)(nil)
	_ gofs.FileLookuper     = (*listing)(nil)
)

func (l *listing) begin(ctx context.Context) syscall.Errno {
	c := l.category
	s, err := c.snapshot(ctx)
	if err != nil {
		return c.Tell.Tell("list", virtual.Path(&c.Inode), c.id(), err)
	}
	l.tree, l.children, l.next = s, l.children[:0], 0
	s.EachChild(c.id(), func(n remote.Node) bool {
		l.children = append(l.children, n.ID)
		return true
	})
	return 0
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
	l.last, _ = l.tree.Brief(l.children[l.next])
	l.next++
	return &fuse.DirEntry{
		Name: nameOf(l.tree, l.last), Mode: syscall.S_IFDIR,
		Ino: inode.Node(l.last.Kind, l.last.ID), Off: position(l.tree, l.last.ID),
	}, 0
}

// A position is the child that was read last, below some bits of the tree's
// version.
const positionBits = 39

func position(s *catalogue.Snapshot, id int64) uint64 {
	return s.Version()<<(64-24)>>1 | uint64(id)&(1<<positionBits-1)
}

// Seekdir goes on after a position; the beginning is read anew. Where the
// position is of another tree, that child may be elsewhere now, or gone, and
// then all is given again.
func (l *listing) Seekdir(ctx context.Context, off uint64) syscall.Errno {
	if off == 0 {
		l.tree, l.next = nil, 0
		return 0
	}
	if l.tree == nil {
		if errno := l.begin(ctx); errno != 0 {
			return errno
		}
	}
	l.next = 1 + slices.IndexFunc(l.children, func(id int64) bool {
		return uint64(id)&(1<<positionBits-1) == off&(1<<positionBits-1)
	})
	return 0
}

// Lookup makes the inode of the child that Readdirent has just given.
func (l *listing) Lookup(ctx context.Context, _ string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return l.category.child(ctx, l.last, out), 0
}
