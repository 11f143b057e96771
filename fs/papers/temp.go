package papers

import (
	"context"
	"sync/atomic"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/content/localname"
	"paperfs/fs/caller"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
)

// temp is a file with a temporary name in the directory of a category or a paper: what
// rsync, editors and browsers write on the way to a PDF. It stays on this machine. It is
// sent when it is renamed to a PDF or, if a program then has it open for writing, at that
// program's next close.
type temp struct {
	gofs.Inode
	*Tree
	content *pending.PDF
	mode    atomic.Uint32
}

var (
	_ virtual.Node       = (*temp)(nil)
	_ gofs.NodeGetattrer = (*temp)(nil)
	_ gofs.NodeSetattrer = (*temp)(nil)
	_ gofs.NodeOpener    = (*temp)(nil)
	_ inode.Describer    = (*temp)(nil)
)

// staysLocal reports whether a name in a category or paper is a temporary one.
func (p *place) staysLocal(ctx context.Context, name string) bool {
	comm := ""
	if thread := caller.Thread(ctx); thread != 0 && localname.CommMatters(name) {
		comm = caller.Comm(caller.Process(thread))
	}
	return p.Media.StaysHere(name, comm, func(other string) bool { return p.temps.get(names.In(p.nodeID(), other)) != nil })
}

// lookupTemp returns a temp or a tempDir, or nil.
func (p *place) lookupTemp(name string, out *fuse.EntryOut) *gofs.Inode {
	at := names.In(p.nodeID(), name)
	if d := p.temps.dir(at); d != nil {
		d.Attr(&out.Attr)
		return &d.Inode
	}
	t := p.temps.get(at)
	if t == nil {
		return nil
	}
	t.Attr(&out.Attr)
	return &t.Inode
}

// createTemp creates a temp, unless the category or paper was deleted: no path would lead
// to it.
func (p *place) createTemp(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	if id := p.nodeID(); id > 0 && p.Catalogue.Peek() != nil { // a tempDir does not exist on the service
		if _, err := p.Tree.Node(id); err != nil {
			return nil, nil, 0, p.fail("create", name, err)
		}
	}
	t := &temp{Tree: p.Tree, content: p.pending.NewTemp(p.nodeID(), "/"+virtual.Path(&p.Inode, name))}
	t.mode.Store(mode & 0o777)
	made := p.NewInode(ctx, t, gofs.StableAttr{Mode: syscall.S_IFREG, Ino: inode.Media(t.content.Ino())})
	handle, options, failed := t.Open(ctx, flags)
	if had := p.temps.put(names.In(p.nodeID(), name), t); had != nil {
		had.content.TempNameRemoved(ctx)
	}
	t.Attr(&out.Attr)
	return made, handle, options, failed
}

// unlinkTemp removes a temp, and reports whether there was one.
func (p *place) unlinkTemp(ctx context.Context, name string) bool {
	t := p.temps.put(names.In(p.nodeID(), name), nil)
	if t != nil {
		virtual.RememberPath(&p.Inode, name)
		t.content.TempNameRemoved(ctx)
	}
	return t != nil
}

func (t *temp) Attr(out *fuse.Attr) time.Duration {
	t.Owner.Fill(out, inode.FileMode, t.content.WrittenAt())
	t.content.Attr(out)
	out.Mode = syscall.S_IFREG | t.mode.Load()
	return 0
}

func (t *temp) Describe() inode.Description {
	return inode.Description{Kind: "file", State: inode.Local, Path: virtual.Path(&t.Inode)}
}

func (t *temp) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(t, out)
}

// Setattr changes size, mode and time; it ignores the owner.
func (t *temp) Setattr(ctx context.Context, f gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if err := t.set(ctx, f, in); err != nil {
		return t.Tell.Failed("write", virtual.Path(&t.Inode), 0, err)
	}
	return virtual.FillAttr(t, out)
}

func (t *temp) set(ctx context.Context, f gofs.FileHandle, in *fuse.SetAttrIn) error {
	if size, sets := in.GetSize(); sets {
		if err := t.truncate(ctx, f, int64(size)); err != nil {
			return err
		}
	}
	if mode, sets := in.GetMode(); sets {
		t.mode.Store(mode & 0o777)
	}
	mtime, sets := in.GetMTime()
	if !sets {
		return nil
	}
	return t.content.SetTime(mtime)
}

func (t *temp) truncate(ctx context.Context, f gofs.FileHandle, size int64) error {
	if h, ok := f.(*pending.Handle); ok {
		return h.Truncate(caller.Thread(ctx), size)
	}
	return t.content.Resize(size)
}

func (t *temp) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	h := t.content.OpenTemp(&t.Inode, caller.Thread(ctx), flags&syscall.O_ACCMODE != syscall.O_RDONLY)
	if h == nil {
		return nil, 0, syscall.ESTALE // it was sent and has another inode now: the kernel looks it up again
	}
	return h, fuse.FOPEN_DIRECT_IO, 0
}
