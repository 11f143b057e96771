package papers

import (
	"context"
	"strings"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/catalogue"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	mediafs "paperfs/fs/media"
	"paperfs/fs/papers/names"
)

// This file has what programs do with PDFs and temporary names in a category.

var (
	_ mediafs.Target    = (*category)(nil)
	_ gofs.NodeCreater  = (*category)(nil)
	_ gofs.NodeUnlinker = (*category)(nil)
)

// lookupUnlisted finds what a category does not list: temporary files and PDFs beside
// papers. The kernel caches neither a PDF beside a paper nor its absence. It does not
// cache the absence of the paper either, because the close of a PDF creates the paper
// without the kernel's knowledge.
func (c *category) lookupUnlisted(ctx context.Context, s *catalogue.Snapshot, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if found := c.lookupScratch(ctx, name, out); found != nil {
		return found, 0
	}
	if n, is := c.pdf(s, name); is {
		return n.lookup(ctx, out)
	}
	if !strings.HasSuffix(name, names.Suffix) {
		out.SetEntryTimeout(entryValid)
	}
	return nil, syscall.ENOENT
}

// Create creates a PDF beside a paper, which may not exist yet, or a temporary file.
func (c *category) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	s, err := c.Snapshot(ctx)
	if err != nil {
		return nil, nil, 0, c.fail("create", name, err)
	}
	switch n, is := c.pdf(s, name); {
	case c.Hidden(c.nodeID(), name) != nil:
	case c.staysLocal(ctx, name):
		return c.createScratch(ctx, name, flags, mode, out)
	case is:
		if err := c.checkPaper(ctx, s, n); err != nil {
			return nil, nil, 0, c.fail("create", name, err)
		}
		return n.create(ctx, flags, out)
	}
	return nil, nil, 0, c.Refuse("create", name)
}

// checkPaper checks that the paper of a new PDF can be created.
func (c *category) checkPaper(ctx context.Context, s *catalogue.Snapshot, n pdfName) error {
	if n.Paper != 0 {
		return nil
	}
	paper, _ := names.PaperOf(n.name)
	_, _, err := c.checkNew(ctx, s, paper)
	return err
}

// createScratch creates a temporary file, unless the category or paper was deleted: no path would lead
// to it.
func (p *place) createScratch(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	if p.Catalogue.Peek() != nil {
		if _, err := p.Tree.Node(p.nodeID()); err != nil {
			return nil, nil, 0, p.fail("create", name, err)
		}
	}
	made, h, options, failed := p.files().Create(ctx, name, flags, mode, out)
	out.SetEntryTimeout(0)
	return made, h, options, failed
}

// Unlink hides a PDF beside a paper, as paperDir.Unlink hides source.pdf, or removes a
// temporary file. When rsync --delete removes source.pdf in a paper's directory, this name
// stays.
func (c *category) Unlink(ctx context.Context, name string) syscall.Errno {
	if _, is := c.scratch(name); is {
		return c.files().Unlink(ctx, name)
	}
	s, err := c.Snapshot(ctx)
	if err != nil {
		return c.fail("unlink", name, err)
	}
	n, is := c.pdf(s, name)
	if !is || !n.there() {
		return c.Refuse("unlink", name)
	}
	if err := n.remove(ctx); err != nil {
		return c.fail("unlink", name, err)
	}
	return 0
}

// RetryFailed sends an entry of failed/ that a program moves to the name of a PDF beside a
// paper.
func (c *category) RetryFailed(ctx context.Context, failed, name string, noReplace bool) error {
	s, err := c.Snapshot(ctx)
	if err != nil {
		return err
	}
	n, is := c.pdf(s, name)
	if !is {
		return errno.Refuse(syscall.EPERM, "a PDF is processed when it is moved to NAME.pdf in a category")
	}
	return n.retry(ctx, failed, noReplace)
}

// Target implements mediafs.Target.
func (c *category) Target(ctx context.Context, name, program string, noReplace bool) (media.Ino, string, *media.PDF, error) {
	s, err := c.Snapshot(ctx)
	if err != nil {
		return 0, "", nil, err
	}
	switch n, is := c.pdf(s, name); {
	case c.Hidden(c.nodeID(), name) != nil:
	case c.Media.Scratch(c.Media.FindTwin(c.nodeID()), name, program):
		return c.Media.Twin(c.nodeID()), name, nil, nil
	case is:
		if err := c.checkPaper(ctx, s, n); err != nil {
			return 0, "", nil, err
		}
		return n.target(noReplace)
	}
	return 0, "", nil, c.refusal()
}
