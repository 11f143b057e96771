package papers

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/virtual"
	"paperfs/remote"
)

// Mkdir creates a category, or a paper if the name ends in .paper.
func (c *category) Mkdir(ctx context.Context, name string, _ uint32, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if made := c.mkdirTemp(ctx, name, out); made != nil {
		return made, 0
	}
	kind, text, err := c.checkNew(ctx, name)
	if err != nil {
		return nil, c.fail("mkdir", name, err)
	}
	var made remote.Node
	unexpect := c.expect(name)
	err = virtual.Change(ctx, func(ctx context.Context) (err error) {
		made, err = c.Catalogue.Create(ctx, kind, c.nodeID(), text)
		if err == nil && kind == remote.PaperNode {
			c.pending.PaperCreated(c.nodeID(), name, made.ID)
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
