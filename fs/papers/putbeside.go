package papers

import (
	"context"
	"strings"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

var (
	_ renameTarget      = (*category)(nil)
	_ gofs.NodeCreater  = (*category)(nil)
	_ gofs.NodeUnlinker = (*category)(nil)
)

// lookupUnlisted finds what a category does not list: temporary files and PDFs beside
// papers. The kernel caches neither a PDF beside a paper nor its absence. It does not
// cache the absence of the paper either, because the close of a PDF creates the paper
// without the kernel's knowledge.
func (c *category) lookupUnlisted(ctx context.Context, s *catalogue.Snapshot, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if found := c.lookupTemp(name, out); found != nil {
		return found, 0
	}
	_, isPDF := names.PaperOf(name)
	b := c.beside(s, name)
	switch {
	case isPDF && b.there(s):
		return c.addPDF(ctx, &c.Inode, name, b, false, out), 0
	case !isPDF && !strings.HasSuffix(name, names.Suffix):
		out.SetEntryTimeout(entryValid)
	}
	return nil, syscall.ENOENT
}

// Create creates a PDF beside a paper, which may not exist yet, or a temporary file.
func (c *category) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	paper, ok := names.PaperOf(name)
	switch {
	case c.Hidden(c.nodeID(), name) != nil:
		return nil, nil, 0, c.Refuse("create", name)
	case c.staysLocal(ctx, name):
		return c.createTemp(ctx, name, flags, mode, out)
	case !ok:
		return nil, nil, 0, c.Refuse("create", name)
	}
	s, err := c.Snapshot(ctx)
	if err != nil {
		return nil, nil, 0, c.fail("create", name, err)
	}
	b := c.beside(s, name)
	there := b.there(s)
	if there && flags&syscall.O_EXCL != 0 {
		return nil, nil, 0, c.fail("create", name, syscall.EEXIST)
	}
	c.pending.UnlinkedBefore(b.entry())
	if id := b.paperIn(s); id != 0 {
		c.hiddenBeside.set(id, false)
	} else if _, _, err := c.checkNew(ctx, s, paper); err != nil {
		return nil, nil, 0, c.fail("create", name, err)
	}
	inode := c.addPDF(ctx, &c.Inode, name, b, !there, out)
	h := inode.Operations().(*source).write(ctx, !there)
	if there && flags&syscall.O_TRUNC != 0 { // the kernel considers the file new
		if err := h.Truncate(caller.Thread(ctx), 0); err != nil {
			h.Release(ctx)
			return nil, nil, 0, c.fail("create", name, err)
		}
	}
	return inode, h, fuse.FOPEN_DIRECT_IO, 0
}

// Unlink hides a PDF beside a paper, as paperDir.Unlink hides source.pdf, or removes a
// temporary file. When rsync --delete removes source.pdf in a paper's directory, this name
// stays.
func (c *category) Unlink(ctx context.Context, name string) syscall.Errno {
	s, err := c.Snapshot(ctx)
	if err != nil {
		return c.fail("unlink", name, err)
	}
	if c.unlinkTemp(ctx, name) {
		return 0
	}
	b := c.beside(s, name)
	if _, listed := names.Find(s, c.nodeID(), name); listed || c.Hidden(c.nodeID(), name) != nil || !b.there(s) {
		return c.Refuse("unlink", name)
	}
	virtual.RememberPath(&c.Inode, name)
	paper := b.paperIn(s)
	if paper != 0 {
		c.hiddenBeside.set(paper, true)
	}
	c.pending.Unlink(paper, b.entry())
	c.pending.Withdraw(paper, b.entry())
	return 0
}

// RetryFailed sends an entry of failed/ that a program moves to the name of a PDF beside a
// paper.
func (c *category) RetryFailed(ctx context.Context, failed, name string, noReplace bool) error {
	if _, ok := names.PaperOf(name); !ok {
		return errno.Refuse(syscall.EPERM, "a PDF is processed when it is moved to NAME.pdf in a category")
	}
	s, err := c.Snapshot(ctx)
	if err != nil {
		return err
	}
	b := c.beside(s, name)
	if noReplace && b.there(s) {
		return syscall.EEXIST
	}
	paper := int64(0)
	err = c.Media.SendFailed(failed, func(pdf remote.Content) (string, error) {
		return b.sendPDF(ctx, 0, document.Edition{}, false, pdf, time.Time{}, pending.CreateHooks{Created: func(made int64) error { paper = made; return nil }})
	})
	if err == nil {
		c.Unhide(paper)
		c.pending.Replaced(paper, b.entry(), nil)
	}
	return err
}

// pdfPlace implements renameTarget.
func (c *category) pdfPlace(ctx context.Context, name string) (*pending.Place, bool, error) {
	s, err := c.Snapshot(ctx)
	if err != nil {
		return nil, false, err
	}
	paper, ok := names.PaperOf(name)
	if _, listed := names.Find(s, c.nodeID(), name); !ok || listed || c.Hidden(c.nodeID(), name) != nil {
		return nil, false, nil
	}
	b := c.beside(s, name)
	if b.paperIn(s) == 0 {
		if _, _, err := c.checkNew(ctx, s, paper); err != nil {
			return nil, false, err
		}
	}
	to := b.place(nil)
	to.Exists = b.there(s)
	return to, false, nil
}
