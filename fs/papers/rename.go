package papers

import (
	"context"
	"fmt"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/catalogue"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
	"paperfs/remote/shellword"
)

// Rename moves a node to another category. All refusals come before any request: mv
// repeats a refused rename, and after EXDEV it would copy.
func (c *category) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^virtual.RenameNoReplace != 0 {
		return syscall.EINVAL
	}
	s, err := c.Snapshot(ctx)
	if err != nil {
		return c.fail("rename", name, err)
	}
	if t := c.temps.get(names.In(c.nodeID(), name)); t != nil {
		return c.renameTemp(ctx, t, name, newParent, newName, flags)
	}
	n, to, err := c.checkMove(s, name, newParent, newName)
	if err != nil || to == nil {
		return c.fail("rename", name, err)
	}
	unexpect := to.expect(newName)
	err = virtual.Change(ctx, func(ctx context.Context) error {
		return c.Catalogue.Move(ctx, n.ID, to.nodeID(), "")
	}, func(err error) { c.fail("rename", name, err) })
	if err == nil {
		c.dropMoved(n)
	}
	if shown, ok := to.shownAs(n.ID); err != nil || !ok || shown != newName {
		unexpect()
	}
	return c.fail("rename", name, err)
}

// shownAs returns the current name of a child.
func (c *category) shownAs(id int64) (string, bool) {
	s := c.Catalogue.Peek()
	if s == nil {
		return "", false
	}
	n, ok := s.WithoutAddress(id)
	return names.Of(s, n), ok && n.Parent == c.nodeID()
}

// checkMove returns the node that a rename moves and its new category, which is nil if
// there is nothing to do.
func (c *category) checkMove(s *catalogue.Snapshot, name string, newParent gofs.InodeEmbedder, newName string) (remote.Node, *category, error) {
	n, ok := names.Find(s, c.nodeID(), name)
	switch b := c.beside(s, name); {
	case !ok && c.Hidden(c.nodeID(), name) == nil && b.there(s):
		return n, nil, notRenamed(name)
	case !ok:
		return n, nil, errno.Refuse(syscall.EPERM, "this directory is generated and cannot be renamed")
	}
	to, ok := newParent.(*category)
	if !ok {
		return n, nil, errno.Refuse(syscall.EOPNOTSUPP, "a category or paper can be moved only to another category of papers/")
	}
	if to.nodeID() == c.nodeID() && newName == name {
		return n, nil, nil
	}
	if to.nodeID() == c.nodeID() || newName != name && newName != names.Plain(n) {
		return n, nil, errno.Refuse(syscall.EOPNOTSUPP, "the service cannot rename; `mv` to another category keeps the name, and `url` changes the address")
	}
	if _, taken := names.Find(s, to.nodeID(), newName); taken {
		return n, nil, errno.Refuse(syscall.EEXIST, fmt.Sprintf("%q already exists there, and mv does not replace it", newName))
	}
	return n, to, nil
}

// notRenamed returns the refusal to rename a PDF.
func notRenamed(name string) error {
	return errno.Refuse(syscall.EOPNOTSUPP, fmt.Sprintf("the service cannot rename: `cp %s NEW.pdf` creates another paper from the PDF, and `mv` of the paper moves it to another category", shellword.Quote(name)))
}

// dropMoved forgets answers that a move may have changed: settings are inherited, so
// moving a category changes those of all its descendants.
func (c *category) dropMoved(n remote.Node) {
	if n.Kind == remote.PaperNode {
		c.Documents.Drop(n.ID)
		return
	}
	c.Documents.DropAll()
}
