package papers

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

func (c *category) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if source := c.Hidden(c.nodeID(), name); source != nil {
		out.SetEntryTimeout(entryValid)
		return virtual.Add(ctx, &c.Inode, c.Numbers, name, c.Dir(c.nodeID(), source), out), 0
	}
	s, err := c.Snapshot(ctx)
	if err != nil {
		return nil, c.fail("lookup", name, err)
	}
	n, ok := names.Find(s, c.nodeID(), name)
	if !ok {
		return c.lookupUnlisted(ctx, s, name, out)
	}
	return c.child(ctx, n, c.Since(n.ID)(), out), 0
}

// child returns the inode of a child of c whose first-seen time is known.
func (c *category) child(ctx context.Context, n remote.Node, seen time.Time, out *fuse.EntryOut) *gofs.Inode {
	out.SetEntryTimeout(entryValid)
	out.Ino = inode.Node(n.Kind, n.ID)
	if n.Kind == remote.CategoryNode {
		below := c.enter(ctx, c, n.ID)
		out.SetAttrTimeout(below.fill(seen, &out.Attr))
		return &below.Inode
	}
	below := &paperDir{place{Tree: c.Tree, node: n.ID}}
	out.SetAttrTimeout(below.fill(seen, &out.Attr))
	return c.NewInode(ctx, below, c.dirInode(n.Kind, n.ID))
}
