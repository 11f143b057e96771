package papers

import (
	"context"
	"strings"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// Mkdir creates a category, or a paper if the name ends in .paper.
func (c *category) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if c.dirStaysLocal(ctx, name) {
		return c.files().Mkdir(ctx, name, mode, out)
	}
	s, err := c.Snapshot(ctx)
	if err != nil {
		return nil, c.fail("mkdir", name, err)
	}
	kind, text, err := c.checkNew(ctx, s, name)
	var from int64
	if err == nil && kind == remote.PaperNode {
		from, err = c.copyOf(ctx, name)
	}
	if err != nil {
		return nil, c.fail("mkdir", name, err)
	}
	var made remote.Node
	unexpect := c.expect(name)
	err = virtual.Change(ctx, func(ctx context.Context) (err error) {
		if from != 0 {
			ctx = remote.AsCopyOf(ctx, from)
		}
		made, err = c.create(ctx, kind, text)
		if err == nil && from != 0 {
			c.copying.Store(copying{caller.Process(caller.Thread(ctx)), from}, time.Now())
			_ = c.Catalogue.Refresh(ctx)               // it tells the pages of the copy; a failed one is tried again
			_ = c.Documents.Restored(ctx, made.ID, "") // its PDF, which only a service in this process tells
		}
		if err == nil && kind == remote.PaperNode {
			c.created.Store(made.ID, true)
			beside := strings.TrimSuffix(name, names.Suffix) + names.PDFEndings[0]
			return c.Media.PaperMade(c.nodeID(), beside, made.ID)
		}
		return err
	}, func(err error) { c.fail("mkdir", name, err) })
	if err != nil {
		unexpect()
		return nil, c.fail("mkdir", name, err)
	}
	c.fail("mkdir", name, nil)
	return c.child(ctx, made, c.Since(made.ID)(), out), 0
}

// create creates a category or paper. If the tree has another one with its id, that is of before the restore of a backup.
func (c *category) create(ctx context.Context, kind remote.NodeKind, text string) (remote.Node, error) {
	n, err := c.Catalogue.Create(ctx, kind, c.nodeID(), text)
	if err != nil {
		return n, err
	}
	is, _ := c.Catalogue.Peek().Node(n.ID)
	other := is.Kind != kind || is.Name != n.Name || is.Parent != n.Parent
	c.Documents.Made(n.ID, other) // before the refresh: what is set aside has the path of the other one
	if other {
		_ = c.Catalogue.Refresh(ctx) // a failed one is tried again
	}
	return n, nil
}
