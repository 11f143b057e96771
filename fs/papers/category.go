package papers

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// category is the directory of a category of the service.
type category struct{ place }

var (
	_ virtual.Node            = (*category)(nil)
	_ gofs.NodeGetattrer      = (*category)(nil)
	_ gofs.NodeSetattrer      = (*category)(nil)
	_ gofs.NodeLookuper       = (*category)(nil)
	_ gofs.NodeOpendirHandler = (*category)(nil)
	_ gofs.NodeMkdirer        = (*category)(nil)
	_ gofs.NodeRmdirer        = (*category)(nil)
	_ gofs.NodeRenamer        = (*category)(nil)
)

// The kernel may rely on a name in papers/, or on its absence, for entryValid, because
// changes are notified. It may rely on the attributes of categories, which never change,
// only for attrValid: if the kernel answered everything from its cache, nothing would
// notice that the tree is stale.
const (
	entryValid = time.Hour
	attrValid  = time.Minute
)

// Attr implements virtual.Node.
func (c *category) Attr(out *fuse.Attr) time.Duration { return c.fill(c.Since(c.nodeID())(), out) }

func (c *category) fill(seen time.Time, out *fuse.Attr) time.Duration {
	return min(c.place.fill(seen, out), attrValid, c.Catalogue.TTL())
}

func (c *category) Getattr(ctx context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	if c.Catalogue.Peek() != nil {
		// This refreshes a stale tree in the background. It never fails if there is a tree.
		_, _ = c.Catalogue.Snapshot(ctx)
	}
	return virtual.FillAttr(c, out)
}

func (c *category) Setattr(_ context.Context, _ gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(c, out)
}

// Rmdir deletes a paper or an empty category.
func (c *category) Rmdir(ctx context.Context, name string) syscall.Errno {
	if _, is := c.scratch(name); is {
		return c.files().Rmdir(ctx, name)
	}
	if !c.AllowDelete {
		return c.fail("rmdir", name, errno.Refuse(syscall.EPERM, "nothing is deleted on the service unless the mount was started with --allow-delete"))
	}
	s, err := c.Snapshot(ctx)
	if err != nil {
		return c.fail("rmdir", name, err)
	}
	n, ok := names.Find(s, c.nodeID(), name)
	if !ok {
		return c.fail("rmdir", name, errno.Refuse(syscall.EPERM, "this directory is generated and cannot be removed"))
	}
	// rsync calls rmdir on a directory that it could not empty, if that is two levels down.
	if n.Kind == remote.PaperNode && caller.Comm(caller.Process(caller.Thread(ctx))) == "rsync" {
		return c.fail("rmdir", name, errno.Refuse(syscall.EPERM, "rsync --delete does not delete papers; use rmdir"))
	}
	if local := c.scratchBelow(n.ID); local != "" {
		return c.fail("rmdir", name, errno.Refuse(syscall.ENOTEMPTY, fmt.Sprintf("it contains %s, which exists only on this machine: move or remove that first", local)))
	}
	err = virtual.Change(ctx, func(ctx context.Context) error {
		return c.explainKept(ctx, n, c.Catalogue.Delete(ctx, n.ID))
	}, func(err error) { c.fail("rmdir", name, err) })
	if err == nil {
		c.removed.Store(n.ID, c.editions.Add(1))
		c.Forget(n.ID)
		c.Media.PlaceRemoved(n.ID)
		err = c.Documents.Deleted(n.ID)
	}
	if err == nil {
		virtual.RememberPath(&c.Inode, name)
	}
	return c.fail("rmdir", name, err)
}

// explainKept explains why the service did not delete a node: not every one has a code for a PDF that is being
// processed.
func (c *category) explainKept(ctx context.Context, n remote.Node, err error) error {
	refused, is := errors.AsType[*remote.Error](err)
	if !is || refused.Code != remote.Failure || n.Kind != remote.PaperNode {
		return err
	}
	if busy, _ := c.Documents.IsBusy(remote.Patient(ctx), n.ID); busy {
		return errno.Refuse(syscall.EBUSY, "its PDF is being processed: wait until that has ended (`paperfs wait`), and remove the paper then")
	}
	return err
}

// enter returns the node of a category; it stays the same until rmdir removes the category here.
func (t *notices) enter(ctx context.Context, parent *category, id int64) *category {
	return t.Enter(id, func() *category {
		c := &category{place{Tree: parent.Tree, node: id}}
		parent.NewInode(ctx, c, parent.dirInode(remote.CategoryNode, id))
		return c
	})
}
