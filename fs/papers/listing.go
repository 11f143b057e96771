package papers

import (
	"context"
	"strings"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/catalogue"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// categoryEntries are the children of a category in one snapshot, each with an inode.
type categoryEntries struct {
	category *category
	tree     *catalogue.Snapshot
	children catalogue.Children // the remaining children
	suffixed bool               // a category among them has a name that ends in .paper
	name     string             // name of the last child
	child    catalogue.Child    // the last child
}

var (
	_ inode.Entries     = (*categoryEntries)(nil)
	_ gofs.FileLookuper = (*categoryEntries)(nil)
)

// list returns the handle of an opened category; see also category.invalidate. A handle
// that continues a listing later prefers the snapshot that it started with.
func (c *category) list() *inode.Listing {
	return inode.NewListing(&c.Inode, func(ctx context.Context, fits func(uint64) bool) (inode.Entries, syscall.Errno) {
		var s *catalogue.Snapshot
		if fits != nil {
			s = c.Catalogue.Recent(func(s *catalogue.Snapshot) bool { return fits(s.Version()) })
		}
		if s == nil {
			var err error
			if s, err = c.Snapshot(ctx); err != nil {
				return nil, c.Tell.Tell("list", virtual.Path(&c.Inode), c.nodeID(), err)
			}
		}
		l := &categoryEntries{category: c, tree: s, children: s.EachChild(c.nodeID())}
		l.suffixed = anySuffixed(l.children)
		return l, 0
	})
}

func anySuffixed(children catalogue.Children) bool {
	for {
		n, ok := children.Next()
		if !ok || n.Kind != remote.CategoryNode { // papers come after the categories
			return false
		}
		if strings.HasSuffix(n.Name, names.Suffix) {
			return true
		}
	}
}

func (l *categoryEntries) Version() uint64 { return l.tree.Version() }

// Ended does not look ahead: that would double the cost of each entry.
func (l *categoryEntries) Ended() bool { return false }

// Next uses the child's id as its offset.
func (l *categoryEntries) Next(e *fuse.DirEntry) bool {
	child, ok := l.children.Next()
	if !ok {
		return false
	}
	l.child, l.name = child, l.nameOf(child)
	e.Name, e.Ino, e.Off = l.name, inode.Node(child.Kind, child.ID), placeOf(child)
	return true
}

func placeOf(child catalogue.Child) uint64 { return min(uint64(child.ID), inode.MaxPlace) }

// nameOf returns the plain name without a search if it can: if no sibling shares the name,
// and no category looks like a paper.
func (l *categoryEntries) nameOf(child catalogue.Child) string {
	if !child.Alone || l.suffixed {
		return names.Of(l.tree, child.Node)
	}
	return names.Disambiguate(child.Node, names.Plain(child.Node), false)
}

// Seek starts over if the child with that offset is no longer there: its snapshot was
// replaced long ago.
func (l *categoryEntries) Seek(place uint64) {
	all := l.tree.EachChild(l.category.nodeID())
	l.children = all
	for place != 0 {
		child, ok := l.children.Next()
		if !ok {
			l.children = all
			return
		}
		if placeOf(child) == place {
			return
		}
	}
}

// Lookup of a name from an older snapshot returns its current node: the kernel was already
// notified of all later changes, and would cache the old node again.
func (l *categoryEntries) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	c := l.category
	if now := c.Catalogue.Peek(); name != l.name || now != l.tree {
		n, ok := names.Find(now, c.nodeID(), name)
		if !ok {
			return nil, syscall.ENOENT
		}
		return c.child(ctx, n, c.Since(n.ID)(), out), 0
	}
	return c.child(ctx, l.child.Node, l.child.Seen, out), 0
}

func (c *category) OpendirHandle(ctx context.Context, _ uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	s, err := c.Snapshot(ctx)
	if err != nil {
		return nil, 0, c.Tell.Tell("list", virtual.Path(&c.Inode), c.nodeID(), err)
	}
	if _, ok := s.WithoutAddress(c.nodeID()); !ok {
		// A program in a deleted directory finds it empty; the kernel must not use its
		// cached listing.
		return c.list(), 0, 0
	}
	return c.list(), fuse.FOPEN_CACHE_DIR | fuse.FOPEN_KEEP_CACHE, 0
}
