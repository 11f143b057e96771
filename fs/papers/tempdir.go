package papers

import (
	"context"
	"strings"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
)

// tempDir is a directory that rsync creates for unfinished files: .~tmp~ of
// --delay-updates, and that of --partial-dir. If rsync cannot create a file there, it
// drops the file and still reports success. A tempDir is never listed and contains only
// temps; each has the name that it will have later.
type tempDir struct {
	place // its number is negative
	at    names.Entry
	mtime time.Time // guarded by temps.mu; set after each change, because the kernel checks its cache by it
}

var (
	_ virtual.Node            = (*tempDir)(nil)
	_ renameTarget            = (*tempDir)(nil)
	_ virtual.Refuser         = (*tempDir)(nil)
	_ gofs.NodeGetattrer      = (*tempDir)(nil)
	_ gofs.NodeSetattrer      = (*tempDir)(nil)
	_ gofs.NodeLookuper       = (*tempDir)(nil)
	_ gofs.NodeOpendirHandler = (*tempDir)(nil)
	_ gofs.NodeCreater        = (*tempDir)(nil)
	_ gofs.NodeUnlinker       = (*tempDir)(nil)
	_ gofs.NodeRenamer        = (*tempDir)(nil)
	_ inode.Describer         = (*tempDir)(nil)
)

// mkdirTemp creates a tempDir, or returns nil if rsync is not the caller or the name has
// no leading dot.
func (p *place) mkdirTemp(ctx context.Context, name string, out *fuse.EntryOut) *gofs.Inode {
	if !strings.HasPrefix(name, ".") || !byRsync(ctx) {
		return nil
	}
	ino := p.Media.NewDraft(0, 0, "").Ino()
	d := &tempDir{place: place{Tree: p.Tree, node: -int64(ino)}, at: names.In(p.nodeID(), name), mtime: time.Now()}
	made := p.NewInode(ctx, d, gofs.StableAttr{Mode: syscall.S_IFDIR, Ino: inode.Media(uint64(ino))})
	p.temps.addDir(d)
	d.Attr(&out.Attr)
	return made
}

// byRsync reports whether the caller is rsync.
func byRsync(ctx context.Context) bool {
	return caller.Comm(caller.Process(caller.Thread(ctx))) == "rsync"
}

// rmdirTemp removes a tempDir; was is false if there is none.
func (p *place) rmdirTemp(name string) (was bool, err error) {
	d := p.temps.dir(names.In(p.nodeID(), name))
	if d != nil && !p.temps.removeDir(d) {
		err = errno.Refuse(syscall.ENOTEMPTY, "it contains files")
	}
	return d != nil, err
}

// keeps reports whether a file in d can have the name.
func (d *tempDir) keeps(ctx context.Context, name string) bool {
	_, pdf := names.PaperOf(name)
	return pdf || d.staysLocal(ctx, name)
}

// pdfPlace implements renameTarget: nothing is sent from a tempDir.
func (d *tempDir) pdfPlace(ctx context.Context, name string) (*pending.Place, bool, error) {
	return nil, d.keeps(ctx, name), nil
}

// Attr implements virtual.Node.
func (d *tempDir) Attr(out *fuse.Attr) time.Duration {
	d.temps.mu.Lock()
	defer d.temps.mu.Unlock()
	d.Owner.Fill(out, inode.DirMode, d.mtime)
	out.Nlink = 2
	return 0
}

func (d *tempDir) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(d, out)
}

func (d *tempDir) Setattr(_ context.Context, _ gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(d, out)
}

// Describe implements inode.Describer.
func (d *tempDir) Describe() inode.Description {
	return inode.Description{Kind: "directory", State: inode.Local, Path: virtual.Path(&d.Inode)}
}

// Refuse implements virtual.Refuser.
func (d *tempDir) Refuse(op, name string) syscall.Errno {
	return d.Tell.Tell(op, virtual.Path(&d.Inode, name), 0, errno.Refuse(syscall.EPERM, "this directory exists only on this machine, for PDFs on their way into papers/, and cannot contain anything else"))
}

func (d *tempDir) Lookup(_ context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if found := d.lookupTemp(name, out); found != nil {
		return found, 0
	}
	return nil, syscall.ENOENT
}

func (d *tempDir) OpendirHandle(context.Context, uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	return virtual.NewListing(&d.Inode, d.Numbers, d.temps.in(d.node), 0), 0, 0
}

func (d *tempDir) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	if !d.keeps(ctx, name) {
		return nil, nil, 0, d.Refuse("create", name)
	}
	return d.createTemp(ctx, name, flags, mode, out)
}

func (d *tempDir) Unlink(ctx context.Context, name string) syscall.Errno {
	if !d.unlinkTemp(ctx, name) {
		return syscall.ENOENT
	}
	return 0
}

func (d *tempDir) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	t := d.temps.get(names.In(d.node, name))
	switch {
	case flags&^virtual.RenameNoReplace != 0:
		return syscall.EINVAL
	case t == nil:
		return syscall.ENOENT
	}
	return d.renameTemp(ctx, t, name, newParent, newName, flags)
}
