package papers

import (
	"context"
	"fmt"
	"strings"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/catalogue"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
	"paperfs/remote/shellword"
)

// Rename gives a node another name, another category, or both at once. All refusals that need no service come
// before any request: mv repeats a refused rename, and after EXDEV it would copy.
func (c *category) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^virtual.RenameNoReplace != 0 {
		return syscall.EINVAL
	}
	if _, is := c.scratch(name); is {
		return c.files().Rename(ctx, name, newParent, newName, flags)
	}
	path := virtual.Path(newParent.EmbeddedInode(), newName)
	fail := func(err error) syscall.Errno { return c.fail("rename", name, errno.Onto(path, err)) }
	s, err := c.Snapshot(ctx)
	if err != nil {
		return fail(err)
	}
	n, to, text, err := c.checkMove(ctx, s, name, newParent, newName)
	if err != nil || to == nil {
		return fail(err)
	}
	unexpect := to.expect(newName)
	err = virtual.Change(ctx, func(ctx context.Context) error {
		return c.Catalogue.Move(ctx, n.ID, to.nodeID(), text)
	}, func(err error) { fail(err) })
	if err == nil {
		c.dropMoved(n)
	}
	if shown, ok := to.shownAs(n.ID); err != nil || !ok || shown != newName {
		unexpect()
	}
	return fail(err)
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

// checkMove returns the node that a rename moves, its new category, which is nil if there is nothing to do, and
// its new name for the service, which is empty if the node keeps the one that it has.
func (c *category) checkMove(ctx context.Context, s *catalogue.Snapshot, name string, newParent gofs.InodeEmbedder, newName string) (n remote.Node, to *category, text string, err error) {
	n, ok := names.Find(s, c.nodeID(), name)
	switch pdf, is := c.pdf(s, name); {
	case !ok && is && pdf.there():
		return n, nil, "", c.notRenamed(name)
	case !ok:
		return n, nil, "", errno.Refuse(syscall.EPERM, "this directory is generated and cannot be renamed")
	}
	to, ok = newParent.(*category)
	if !ok {
		return n, nil, "", errno.Refuse(syscall.EOPNOTSUPP, "a category or paper can be moved only to another category of papers/")
	}
	elsewhere := to.nodeID() != c.nodeID()
	keeps := newName == name || elsewhere && newName == names.Plain(n)
	switch _, taken := names.Find(s, to.nodeID(), newName); {
	case keeps && !elsewhere:
		return n, nil, "", nil
	case !keeps && !c.Catalogue.Renames():
		return n, nil, "", errno.Refuse(syscall.EOPNOTSUPP, "the service cannot rename; `mv` to another category keeps the name, and `url` changes the address")
	case taken:
		return n, nil, "", errno.Refuse(syscall.EEXIST, fmt.Sprintf("%q already exists there, and mv does not replace it", newName))
	case keeps:
		return n, to, "", nil
	}
	text, err = to.checkRenamed(ctx, s, n, newName)
	return n, to, text, err
}

// checkRenamed returns the service's name for a node that gets a name in c.
func (c *category) checkRenamed(ctx context.Context, s *catalogue.Snapshot, n remote.Node, name string) (text string, err error) {
	kind, text, err := c.checkNew(ctx, s, name)
	pdf := names.Beside(c.nodeID(), strings.TrimSuffix(name, names.Suffix)+names.PDFEndings[0])
	switch {
	case err != nil:
		return "", err
	case kind != n.Kind && n.Kind == remote.PaperNode:
		return "", errno.Refuse(syscall.EINVAL, "this is a paper, and the name of a paper ends in "+names.Suffix)
	case kind != n.Kind:
		return "", errno.Refuse(syscall.EINVAL, "this is a category, and only the name of a paper ends in "+names.Suffix)
	case kind == remote.PaperNode && c.stores(c.nodeID(), pdf.Name):
		return "", errno.Refuse(syscall.EEXIST, fmt.Sprintf("%s is on its way to a paper of this name", pdf.Name))
	}
	return text, nil
}

// notRenamed returns the refusal to rename a PDF.
func (p *place) notRenamed(name string) error {
	words := "the service cannot rename: `cp %s NEW.pdf` creates another paper from the PDF, and `mv` of the paper moves it to another category"
	if p.Catalogue.Renames() {
		words = "a PDF has the name of its paper: `mv` of the paper renames both, and `cp %s NEW.pdf` creates another paper from the PDF"
	}
	return errno.Refuse(syscall.EOPNOTSUPP, fmt.Sprintf(words, shellword.Quote(name)))
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
