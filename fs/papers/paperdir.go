package papers

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

// paperDir is a directory that stands for a paper; what is in it is generated.
type paperDir struct{ place }

var (
	_ virtual.Node            = (*paperDir)(nil)
	_ gofs.NodeGetattrer      = (*paperDir)(nil)
	_ gofs.NodeSetattrer      = (*paperDir)(nil)
	_ gofs.NodeLookuper       = (*paperDir)(nil)
	_ gofs.NodeOpendirHandler = (*paperDir)(nil)
	_ gofs.NodeRenamer        = (*paperDir)(nil)
	_ gofs.NodeMkdirer        = (*paperDir)(nil)
	_ gofs.NodeRmdirer        = (*paperDir)(nil)
)

func (p *paperDir) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(p, out)
}

func (p *paperDir) Setattr(_ context.Context, _ gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(p, out)
}

func (p *paperDir) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	found, err := virtual.Look(ctx, &p.Inode, p.Env, paperFiles{p.Tree, p.node}, name, out)
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
		return nil, syscall.ENOENT
	}
	return found, 0
}

func (p *paperDir) OpendirHandle(context.Context, uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	return virtual.NewListing(&p.Inode, p.Numbers, paperFiles{p.Tree, p.node}.shownEntries(), 0), fuse.FOPEN_CACHE_DIR | fuse.FOPEN_KEEP_CACHE, 0
}

func (p *paperDir) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^virtual.RenameNoReplace != 0 {
		return syscall.EINVAL
	}
	if t := p.temps.get(entry{p.node, name}); t != nil {
		return p.renameTemp(ctx, t, name, newParent, newName, flags)
	}
	if name == sourceName || p.others.has(p.node, name) {
		return p.fail("rename", name, notRenamed(name))
	}
	return p.fail("rename", name, errno.Refuse(syscall.EOPNOTSUPP, "a generated file or directory cannot be renamed or moved"))
}

// Mkdir and Rmdir are for directories that stay here.
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
