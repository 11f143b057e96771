package papers

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
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

// checkNew parses and checks a new name before any request.
func (c *category) checkNew(ctx context.Context, name string) (remote.NodeKind, string, error) {
	kind, text, err := names.Parse(name)
	switch {
	case errors.Is(err, names.ErrHidden):
		return 0, "", errno.Refuse(syscall.EPERM, err.Error())
	case errors.Is(err, names.ErrLongHere):
		return 0, "", errno.Refuse(syscall.ENAMETOOLONG, err.Error())
	case err != nil:
		return 0, "", errno.Refuse(syscall.EINVAL, err.Error())
	}
	s, err := c.Snapshot(ctx)
	if err != nil {
		return 0, "", err
	}
	if _, taken := names.Find(s, c.nodeID(), name); taken {
		return 0, "", errno.Refuse(syscall.EEXIST, "the name is taken")
	}
	if c.staysLocal(ctx, name) {
		return 0, "", errno.Refuse(syscall.EPERM, names.ErrLocal.Error())
	}
	if !names.Available(s, c.nodeID(), name) {
		return 0, "", errno.Refuse(syscall.EINVAL, fmt.Sprintf("there are already nodes called %q: %v", text, names.ErrOther))
	}
	return kind, text, nil
}
