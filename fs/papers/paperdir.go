package papers

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/errno"
	mediafs "paperfs/fs/media"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
)

// paperDir is the directory of a paper; its content is generated.
type paperDir struct{ place }

var (
	_ virtual.Node            = (*paperDir)(nil)
	_ mediafs.Target          = (*paperDir)(nil)
	_ gofs.NodeGetattrer      = (*paperDir)(nil)
	_ gofs.NodeSetattrer      = (*paperDir)(nil)
	_ gofs.NodeLookuper       = (*paperDir)(nil)
	_ gofs.NodeOpendirHandler = (*paperDir)(nil)
	_ gofs.NodeRenamer        = (*paperDir)(nil)
	_ gofs.NodeMkdirer        = (*paperDir)(nil)
	_ gofs.NodeRmdirer        = (*paperDir)(nil)
	_ gofs.NodeUnlinker       = (*paperDir)(nil)
	_ gofs.NodeCreater        = (*paperDir)(nil)
)

func (p *paperDir) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(p, out)
}

func (p *paperDir) Setattr(_ context.Context, _ gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(p, out)
}

func (p *paperDir) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if n, is := p.pdf(name); is && n.there() {
		return n.lookup(ctx, out)
	}
	found, err := virtual.Lookup(ctx, &p.Inode, p.Env, paperFiles{p.Tree, p.node}, name, out)
	switch {
	case err != nil:
		return nil, p.fail("lookup", name, err)
	case found == nil:
		if found = p.lookupScratch(ctx, name, out); found != nil {
			return found, 0
		}
		if _, is := p.pdf(name); is {
			out.SetEntryTimeout(0) // it appears once a PDF is sent, under whatever name
		}
		return nil, syscall.ENOENT
	}
	return found, 0
}

func (p *paperDir) OpendirHandle(ctx context.Context, _ uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if p.isCopied(ctx) {
		return virtual.NewListing(&p.Inode, p.Numbers, nil, 0), 0, 0
	}
	keep := uint32(fuse.FOPEN_CACHE_DIR | fuse.FOPEN_KEEP_CACHE)
	if p.hiddenSource.ever(p.node) {
		keep = 0
	}
	return virtual.NewListing(&p.Inode, p.Numbers, paperFiles{p.Tree, p.node}.shownEntries(), 0), keep, 0
}

func (p *paperDir) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^virtual.RenameNoReplace != 0 {
		return syscall.EINVAL
	}
	if _, is := p.scratch(name); is {
		return p.files().Rename(ctx, name, newParent, newName, flags)
	}
	err := errno.Refuse(syscall.EOPNOTSUPP, "a generated file or directory cannot be renamed or moved")
	if n, is := p.pdf(name); is && n.there() {
		err = p.notRenamed(name)
	}
	return p.fail("rename", name, errno.Onto(virtual.Path(newParent.EmbeddedInode(), newName), err))
}

// Mkdir and Rmdir work only for directories that stay on this machine.
func (p *paperDir) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if p.dirStaysLocal(ctx, name) {
		return p.files().Mkdir(ctx, name, mode, out)
	}
	return nil, p.Refuse("mkdir", name)
}

func (p *paperDir) Rmdir(ctx context.Context, name string) syscall.Errno {
	if _, is := p.scratch(name); is {
		return p.files().Rmdir(ctx, name)
	}
	return p.Refuse("rmdir", name)
}

// Unlink hides source.pdf, and removes temporary files.
func (p *paperDir) Unlink(ctx context.Context, name string) syscall.Errno {
	if _, is := p.scratch(name); is {
		return p.files().Unlink(ctx, name)
	}
	n, is := p.pdf(name)
	if !is || n.Other != "" && !n.there() {
		return p.Refuse("unlink", name)
	}
	if err := n.remove(ctx); err != nil {
		return p.fail("unlink", name, err)
	}
	return 0
}

// Create creates a source.pdf that was removed, a PDF under another name, or a temporary
// file.
func (p *paperDir) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	if name != names.Source && name != ".search" && p.staysLocal(ctx, name) {
		return p.createScratch(ctx, name, flags, mode, out)
	}
	n, is := p.pdf(name)
	if !is {
		return nil, nil, 0, p.Refuse("create", name)
	}
	return n.create(ctx, flags, out)
}

// RetryFailed sends an entry of failed/ that a program moves onto source.pdf.
func (p *paperDir) RetryFailed(ctx context.Context, failed, name string, noReplace bool) error {
	if name != names.Source {
		return errno.Refuse(syscall.EPERM, "a PDF is processed when it is moved to source.pdf")
	}
	n, _ := p.pdf(name)
	return n.retry(ctx, failed, noReplace)
}

// Target implements mediafs.Target.
func (p *paperDir) Target(_ context.Context, name, program string, noReplace bool) (media.Ino, string, *media.PDF, error) {
	if n, is := p.pdf(name); is {
		return n.target(noReplace)
	}
	if name != ".search" && p.Media.Scratch(p.Media.FindTwin(p.node), name, program) {
		return p.Media.Twin(p.node), name, nil, nil
	}
	return 0, "", nil, p.refusal()
}
