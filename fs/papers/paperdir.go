package papers

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// paperDir is the directory of a paper; its content is generated.
type paperDir struct{ place }

var (
	_ virtual.Node            = (*paperDir)(nil)
	_ renameTarget            = (*paperDir)(nil)
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
	if name == names.Source && !p.hiddenSource.has(p.node) {
		return p.addPDF(ctx, &p.Inode, name, inPaper{tree: p.Tree, id: p.node}, false, out), 0
	}
	found, err := virtual.Lookup(ctx, &p.Inode, p.Env, paperFiles{p.Tree, p.node}, name, out)
	switch {
	case err != nil:
		return nil, p.fail("lookup", name, err)
	case found == nil:
		if found = p.lookupTemp(name, out); found != nil {
			out.SetEntryTimeout(0)
			return found, 0
		}
		if found = p.lookupOther(ctx, name, out); found != nil {
			return found, 0
		}
		if name == names.Source {
			out.SetEntryTimeout(0) // it reappears once a PDF is sent under another name
		}
		return nil, syscall.ENOENT
	}
	return found, 0
}

func (p *paperDir) OpendirHandle(context.Context, uint32) (gofs.FileHandle, uint32, syscall.Errno) {
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
	if t := p.temps.get(names.In(p.node, name)); t != nil {
		return p.renameTemp(ctx, t, name, newParent, newName, flags)
	}
	err := errno.Refuse(syscall.EOPNOTSUPP, "a generated file or directory cannot be renamed or moved")
	if name == names.Source || p.pending.Others.Has(p.node, name) {
		err = p.notRenamed(name)
	}
	return p.fail("rename", name, errno.Onto(virtual.Path(newParent.EmbeddedInode(), newName), err))
}

// Mkdir and Rmdir work only for directories that stay on this machine.
func (p *paperDir) Mkdir(ctx context.Context, name string, _ uint32, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if made := p.mkdirTemp(ctx, name, out); made != nil {
		return made, 0
	}
	return nil, p.Refuse("mkdir", name)
}

func (p *paperDir) Rmdir(_ context.Context, name string) syscall.Errno {
	if was, err := p.rmdirTemp(name); was {
		return p.fail("rmdir", name, err)
	}
	return p.Refuse("rmdir", name)
}

// Unlink hides source.pdf, and removes temporary files. It withdraws a queued PDF, unless
// rsync is the caller: rsync --delete-after removes the paper's directory, which its
// source lacks, after it has sent the PDF beside it.
func (p *paperDir) Unlink(ctx context.Context, name string) syscall.Errno {
	if p.unlinkTemp(ctx, name) {
		return 0
	}
	if other := p.pending.Others.Remove(p.node, name); !other && name != names.Source {
		return p.Refuse("unlink", name)
	}
	if name == names.Source {
		virtual.RememberPath(&p.Inode, name)
		p.hiddenSource.set(p.node, true)
		p.pending.Unlink(p.node, names.Entry{})
	}
	if caller.Comm(caller.Thread(ctx)) != "rsync" {
		p.pending.Withdraw(p.node, names.Entry{})
	}
	return 0
}

// Create creates a source.pdf that was removed, a PDF under another name, or a temporary
// file.
func (p *paperDir) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	if name != names.Source && name != ".search" && p.staysLocal(ctx, name) {
		return p.createTemp(ctx, name, flags, mode, out)
	}
	if names.IsOther(name) {
		return p.createOther(ctx, name, flags, out)
	}
	if name != names.Source {
		return nil, nil, 0, p.Refuse("create", name)
	}
	inode := p.addPDF(ctx, &p.Inode, name, inPaper{tree: p.Tree, id: p.node, in: &p.Inode}, true, out)
	handle, options, errno := inode.Operations().(*source).open(ctx, flags, true)
	if errno != 0 {
		return nil, nil, 0, errno
	}
	p.hiddenSource.set(p.node, false)
	return inode, handle, options, 0
}

// RetryFailed sends an entry of failed/ that a program moves onto source.pdf. The kernel
// looks the moved name up again.
func (p *paperDir) RetryFailed(ctx context.Context, failed, name string, noReplace bool) error {
	switch {
	case name != names.Source:
		return errno.Refuse(syscall.EPERM, "a PDF is processed when it is moved to source.pdf")
	case noReplace && !p.hiddenSource.has(p.node):
		return syscall.EEXIST
	}
	err := p.Media.SendFailed(failed, func(pdf remote.Content) (string, error) {
		sent, err := p.Documents.Process(ctx, p.node, pdf, time.Time{})
		return sent.SHA256, err
	})
	if err == nil {
		p.Unhide(p.node)
		p.pending.Replaced(p.node, names.Entry{}, nil)
	}
	return err
}

// lookupOther returns the PDF with another name, or nil.
func (p *paperDir) lookupOther(ctx context.Context, name string, out *fuse.EntryOut) *gofs.Inode {
	if !names.IsOther(name) {
		return nil
	}
	out.SetEntryTimeout(0) // it may change without the kernel's knowledge
	if !p.pending.Others.Has(p.node, name) {
		return nil
	}
	return p.addPDF(ctx, &p.Inode, name, inPaper{p.Tree, p.node, name, &p.Inode}, false, out)
}

// createOther creates a PDF with another name.
func (p *paperDir) createOther(ctx context.Context, name string, flags uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	if err := p.pending.Others.Claim(p.node, name); err != nil {
		return nil, nil, 0, p.fail("create", name, err)
	}
	defer p.pending.Others.Release(p.node, name, false) // the handle has claimed the name as well
	made := p.addPDF(ctx, &p.Inode, name, inPaper{p.Tree, p.node, name, &p.Inode}, true, out)
	handle, options, failed := made.Operations().(*source).open(ctx, flags, true)
	return made, handle, options, failed
}

// pdfPlace implements renameTarget: source.pdf, under that name or another.
func (p *paperDir) pdfPlace(_ context.Context, name string) (*pending.Place, bool, error) {
	to := p.sourcePlace(p.node, virtual.Path(&p.Inode, name), virtual.Path(&p.Inode, names.Source))
	switch {
	case names.IsOther(name):
		if err := p.pending.Others.Check(p.node, name); err != nil {
			return nil, false, err
		}
		to.Other, to.Exists = name, p.pending.Others.Has(p.node, name)
	case name != names.Source:
		return nil, false, nil
	}
	return to, false, nil
}
