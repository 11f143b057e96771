package papers

import (
	"context"
	"sync"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

const sourceName = "source.pdf"

// removed are the papers whose source.pdf was removed. Its name is hidden until
// a program makes it again, or until the next mount: mv and install remove what
// they replace and then create it. The service keeps its pages, and what is
// held here of the PDF stays, so that a new one that is refused leaves the one
// before.
type removed struct {
	mu     sync.Mutex
	papers map[int64]bool // guarded by mu
}

func (r *removed) has(paper int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.papers[paper]
}

func (r *removed) set(paper int64, is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.papers == nil {
		r.papers = map[int64]bool{}
	}
	if r.papers[paper] = is; !is {
		delete(r.papers, paper)
	}
}

// shows has both names of a paper's PDF there again.
func (t *Tree) shows(paper int64) {
	t.removed.set(paper, false)
	t.hiding.set(paper, false)
}

var (
	_ gofs.NodeUnlinker = (*paperDir)(nil)
	_ gofs.NodeCreater  = (*paperDir)(nil)
)

// Unlink hides source.pdf, and removes temporary files. What is queued of the PDF is not sent,
// unless it is rsync that removes: with --delete-after it removes what it does not know, the paper's
// directory, once it has sent the PDF beside it.
func (p *paperDir) Unlink(ctx context.Context, name string) syscall.Errno {
	if p.unlinkTemp(ctx, name) {
		return 0
	}
	if other := p.others.remove(p.node, name); !other && name != sourceName {
		return p.Refuse("unlink", name)
	}
	if name == sourceName {
		p.removed.set(p.node, true)
		p.drafts.unlink(p.node, entry{})
	}
	if caller.Comm(threadOf(ctx)) != "rsync" {
		p.drafts.takeBack(p.node, entry{})
	}
	return 0
}

// Create makes a source.pdf that was removed, or a temporary file.
func (p *paperDir) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	if name != sourceName && name != ".search" && p.staysHere(ctx, name) {
		return p.createTemp(ctx, name, flags, mode, out)
	}
	if isOther(name) {
		return p.createOther(ctx, name, flags, out)
	}
	if name != sourceName {
		return nil, nil, 0, p.Refuse("create", name)
	}
	s := &source{Tree: p.Tree, id: p.node, in: &p.Inode}
	inode := virtual.Add(ctx, &p.Inode, p.Numbers, name, s, out)
	handle, options, errno := inode.Operations().(*source).open(ctx, flags, true)
	if errno != 0 {
		return nil, nil, 0, errno
	}
	p.removed.set(p.node, false)
	return inode, handle, options, 0
}

// RetryFailed sends an entry of failed/ to be processed: a program that moves it onto
// source.pdf wants that. The kernel asks again for the name that it moved.
func (p *paperDir) RetryFailed(ctx context.Context, failed, name string, noReplace bool) error {
	switch {
	case name != sourceName:
		return errno.Refuse(syscall.EPERM, "a PDF is processed when it is moved to source.pdf")
	case noReplace && !p.removed.has(p.node):
		return syscall.EEXIST
	}
	err := p.Media.SendFailed(failed, func(pdf remote.Content) (string, error) {
		sent, err := p.Documents.Process(ctx, p.node, pdf, time.Time{})
		return sent.SHA256, err
	})
	if err == nil {
		p.shows(p.node)
		p.drafts.replaced(p.node, entry{}, nil)
	}
	return err
}
