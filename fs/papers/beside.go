package papers

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/text/unicode/norm"

	"paperfs/cache/catalogue"
	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// beside is the place of a PDF beside a paper: Spring.pdf, in the category of
// Spring.paper, stands for its source.pdf. It is there whenever the paper is, and
// never listed; a listed name goes first. One that is written where there is no
// paper makes it when it is closed.
type beside struct {
	category *category
	name     string
}

// beside is the place of a PDF of some name. Programs and archives write accented letters in two
// ways (macOS as a letter and an accent): where a paper, or a PDF on its way to one, has the
// other form of the name, it is that one's, and no second paper is published.
func (c *category) beside(s *catalogue.Snapshot, name string) beside {
	if _, pdf := names.PaperOf(name); !pdf || norm.NFC.IsNormalString(name) && norm.NFD.IsNormalString(name) {
		return beside{c, name}
	}
	for _, form := range []string{name, norm.NFC.String(name), norm.NFD.String(name)} {
		if b := (beside{c, form}); b.paperIn(s) != 0 || c.pending.Has(b.entry()) {
			return b
		}
	}
	return beside{c, name}
}

// entry is the zero one for the place of no PDF.
func (b beside) entry() names.Entry {
	if b.category == nil {
		return names.Entry{}
	}
	return names.Beside(b.category.nodeID(), b.name)
}

// paper is the id of the paper, 0 where there is none yet.
func (b beside) paper() int64 {
	s := b.category.Catalogue.Peek()
	if s == nil {
		return 0
	}
	return b.paperIn(s)
}

func (b beside) paperIn(s *catalogue.Snapshot) int64 { return names.PaperBeside(s, b.entry()) }

// there reports whether the name is.
func (b beside) there(s *catalogue.Snapshot) bool {
	paper := b.paperIn(s)
	if paper != 0 {
		if b.category.pending.UnlinkedBefore(b.entry()) {
			b.category.hiding.set(paper, true)
		}
		return !b.category.hiding.has(paper)
	}
	return b.category.pending.Has(b.entry())
}

func (b beside) node() *source { return &source{Tree: b.category.Tree, beside: b} }

// toldMost bounds how long a close waits for the kernel to drop what is old.
const toldMost = 2 * time.Second

// tells has the kernel drop what it knows of a name, and of the listing; told waits for
// that. It waits for what is under way in this directory alone: a notice elsewhere may wait
// for a rename that waits for the service.
func (c *category) tells(name string) (told func(context.Context)) {
	done := make(chan struct{})
	go func() {
		c.drop([]string{name})
		close(done)
	}()
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, toldMost)
		defer cancel()
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
}

// process sends a PDF to the paper of a known id, or to the one that b is beside,
// which is made if there is none. A new one must not be somebody else's.
func (b beside) process(ctx context.Context, paper int64, isNew bool, pdf remote.Content, written time.Time, making pending.Making) (sha256 string, err error) {
	if err := pending.CheckPDF(pdf); err != nil {
		return "", err
	}
	if paper == 0 {
		if paper, err = b.make(ctx, isNew, making.May); err != nil {
			return "", err
		}
	}
	if err := making.Made(paper); err != nil {
		return "", err
	}
	sent, err := b.category.Documents.Process(ctx, paper, pdf, written)
	return sent.SHA256, err
}

var (
	_ gofs.NodeCreater  = (*category)(nil)
	_ gofs.NodeUnlinker = (*category)(nil)
)

// Create begins a PDF beside a paper, which may not be there yet, or a temporary file.
func (c *category) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	paper, ok := names.PaperOf(name)
	switch {
	case c.hidden(name) != nil:
		return nil, nil, 0, c.Refuse("create", name)
	case c.staysHere(ctx, name):
		return c.createTemp(ctx, name, flags, mode, out)
	case !ok:
		return nil, nil, 0, c.Refuse("create", name)
	}
	s, err := c.snapshot(ctx)
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
		c.hiding.set(id, false)
	} else if _, _, err := c.checkNew(ctx, paper); err != nil {
		return nil, nil, 0, c.fail("create", name, err)
	}
	inode := virtual.Add(ctx, &c.Inode, c.Numbers, name, b.node(), out)
	h := inode.Operations().(*source).write(ctx, flags, !there)
	if there && flags&syscall.O_TRUNC != 0 { // the kernel takes it for new
		if err := h.Truncate(caller.Thread(ctx), 0); err != nil {
			h.Release(ctx)
			return nil, nil, 0, c.fail("create", name, err)
		}
	}
	return inode, h, fuse.FOPEN_DIRECT_IO, 0
}

// Unlink hides a PDF beside a paper, in the way of source.pdf, or removes a temporary
// file. What rsync --delete removes in a paper's directory leaves this name.
func (c *category) Unlink(ctx context.Context, name string) syscall.Errno {
	s, err := c.snapshot(ctx)
	if err != nil {
		return c.fail("unlink", name, err)
	}
	if c.unlinkTemp(ctx, name) {
		return 0
	}
	b := c.beside(s, name)
	if _, listed := names.Find(s, c.nodeID(), name); listed || c.hidden(name) != nil || !b.there(s) {
		return c.Refuse("unlink", name)
	}
	paper := b.paperIn(s)
	if paper != 0 {
		c.hiding.set(paper, true)
	}
	c.pending.Unlink(paper, b.entry())
	c.pending.TakeBack(paper, b.entry())
	return 0
}

// RetryFailed sends an entry of failed/ as a PDF beside a paper.
func (c *category) RetryFailed(ctx context.Context, failed, name string, noReplace bool) error {
	if _, ok := names.PaperOf(name); !ok {
		return errno.Refuse(syscall.EPERM, "a PDF is processed when it is moved to NAME.pdf in a category")
	}
	s, err := c.snapshot(ctx)
	if err != nil {
		return err
	}
	b := c.beside(s, name)
	if noReplace && b.there(s) {
		return syscall.EEXIST
	}
	paper := int64(0)
	err = c.Media.SendFailed(failed, func(pdf remote.Content) (string, error) {
		return b.process(ctx, 0, false, pdf, time.Time{}, pending.Making{Made: func(made int64) error { paper = made; return nil }})
	})
	if err == nil {
		c.Shows(paper)
		c.pending.Replaced(paper, b.entry(), nil)
	}
	return err
}
