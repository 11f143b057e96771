package virtual

import (
	"context"
	"sync/atomic"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/inode"
)

// Source is the content of a generated directory.
type Source interface {
	// List returns the listed names in a stable order. It calls Read where it may have
	// to wait.
	List(ctx context.Context) ([]Entry, error)
	// Find returns the node for a name, listed or hidden, or nil, nil if there is
	// none.
	Find(ctx context.Context, name string) (Node, error)
}

// Renamer is a Source whose names can be changed. to is the source of the target
// directory, which may be the same.
type Renamer interface {
	Rename(ctx context.Context, name string, to Source, newName string) error
}

// Remover is a Source whose files can be unlinked.
type Remover interface {
	Remove(ctx context.Context, name string) error
}

// Fixed is a Source whose names, listed or not, never change while the directory
// exists. The kernel caches them.
type Fixed interface{ Fixed() }

// fixedValid is how long the kernel may cache the names of a Fixed source.
const fixedValid = time.Hour

// Entry is a listed name.
type Entry struct {
	Name string
	Mode uint32 // the file type, S_IFDIR and the like
	Ino  uint64 // 0: the number of a generated name
}

// FileEntry, DirEntry and LinkEntry return the listed names of generated nodes.
func FileEntry(name string) Entry { return Entry{Name: name, Mode: syscall.S_IFREG} }
func DirEntry(name string) Entry  { return Entry{Name: name, Mode: syscall.S_IFDIR} }
func LinkEntry(name string) Entry { return Entry{Name: name, Mode: syscall.S_IFLNK} }

// Dir is a generated directory.
//
// The kernel caches every listing (see scans in package fs) until it sees another mtime.
// So each listing of a source that is not Fixed advances the mtime by a nanosecond, and a
// notice makes the kernel fetch the attributes again.
type Dir struct {
	Closed
	*Env
	About
	Source Source
	Mode   uint32        // permissions; 0 means 0755
	listed atomic.Uint32 // the number of listings; stays 0 if Source is Fixed
}

var (
	_ Node                    = (*Dir)(nil)
	_ Refuser                 = (*Dir)(nil)
	_ gofs.NodeGetattrer      = (*Dir)(nil)
	_ gofs.NodeSetattrer      = (*Dir)(nil)
	_ gofs.NodeLookuper       = (*Dir)(nil)
	_ gofs.NodeOpendirHandler = (*Dir)(nil)
	_ gofs.NodeOnForgetter    = (*Dir)(nil)
	_ gofs.NodeUnlinker       = (*Dir)(nil)
	_ gofs.NodeRenamer        = (*Dir)(nil)
)

// Attr implements Node.
func (d *Dir) Attr(out *fuse.Attr) time.Duration {
	mode := uint32(inode.DirMode)
	if d.Mode != 0 {
		mode = syscall.S_IFDIR | d.Mode
	}
	d.Owner.Fill(out, mode, d.Time())
	out.Nlink = 2
	if n := d.listed.Load(); n > 0 {
		mtime := d.Time().Add(time.Duration(n))
		out.SetTimes(nil, &mtime, nil)
	}
	return time.Hour
}

func (d *Dir) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return FillAttr(d, out)
}

func (d *Dir) Setattr(_ context.Context, _ gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return FillAttr(d, out)
}

func (d *Dir) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	child, err := Lookup(ctx, &d.Inode, d.Env, d.Source, name, out)
	switch {
	case err != nil:
		return nil, d.fail("lookup", name, err)
	case child == nil:
		return nil, syscall.ENOENT
	}
	return child, 0
}

// Lookup adds the inode for a name in a directory that source fills. It returns nil, nil
// if there is none.
func Lookup(ctx context.Context, dir *gofs.Inode, env *Env, source Source, name string, out *fuse.EntryOut) (*gofs.Inode, error) {
	node, err := source.Find(ctx, name)
	if errno.Of(err) == syscall.ENOENT {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, fixed := source.(Fixed); fixed {
		out.SetEntryTimeout(fixedValid)
	}
	if node == nil {
		return nil, nil
	}
	return Add(ctx, dir, env.Numbers, name, node, out), nil
}

// Add adds the inode of a generated node that parent's Lookup found. It keeps an existing
// inode, because a Dir counts its listings. If the name now stands for another thing on
// the service, it gets another inode with the same number.
func Add(ctx context.Context, parent *gofs.Inode, numbers interface {
	Number(uint64, string) uint64
}, name string, node Node, out *fuse.EntryOut) *gofs.Inode {
	out.SetAttrTimeout(node.Attr(&out.Attr))
	id := gofs.StableAttr{Mode: out.Mode & syscall.S_IFMT, Ino: numbers.Number(parent.StableAttr().Ino, name)}
	if about, ok := node.(interface{ serviceID() int64 }); ok {
		id.Gen = uint64(about.serviceID())
	}
	if child := parent.GetChild(name); child != nil && child.StableAttr() == id {
		node = child.Operations().(Node)
		out.SetAttrTimeout(node.Attr(&out.Attr))
	}
	out.Ino = id.Ino
	return parent.NewInode(ctx, node, id)
}

func (d *Dir) OpendirHandle(ctx context.Context, _ uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	entries, err := d.Source.List(ctx)
	if err != nil {
		return nil, 0, d.Tell.Tell("list", Path(&d.Inode), d.ID, err)
	}
	if _, fixed := d.Source.(Fixed); fixed {
		return NewListing(&d.Inode, d.Numbers, entries, 0), fuse.FOPEN_CACHE_DIR | fuse.FOPEN_KEEP_CACHE, 0
	}
	listing := NewListing(&d.Inode, d.Numbers, entries, uint64(d.listed.Add(1)))
	// A handler may send a notice about attributes only: that one waits for nothing. The
	// error ENOENT means that the kernel does not have them.
	_ = d.NotifyContent(-1, 0)
	return listing, 0, 0
}

func (d *Dir) OnForget() { d.Numbers.Forget(d.StableAttr().Ino) }

func (d *Dir) Unlink(ctx context.Context, name string) syscall.Errno {
	remover, ok := d.Source.(Remover)
	if !ok {
		return d.Refuse("unlink", name)
	}
	return d.fail("unlink", name, remover.Remove(ctx, name))
}

func (d *Dir) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	renamer, ok := d.Source.(Renamer)
	path := Path(newParent.EmbeddedInode(), newName)
	fail := func(err error) syscall.Errno { return d.fail("rename", name, errno.Onto(path, err)) }
	to, inside := newParent.(*Dir)
	switch {
	case flags&^RenameNoReplace != 0:
		return syscall.EINVAL
	case !ok || !inside:
		return fail(errno.Refuse(syscall.EOPNOTSUPP, "a generated file or directory cannot be renamed or moved"))
	}
	err := Change(ctx, func(ctx context.Context) error {
		return renamer.Rename(ctx, name, to.Source, newName)
	}, func(err error) { fail(err) })
	return fail(err)
}

// RenameNoReplace is RENAME_NOREPLACE, the only flag of renameat2 that the mount
// supports.
const RenameNoReplace = 1

// Refuse implements Refuser.
func (d *Dir) Refuse(op, name string) syscall.Errno {
	if refused, is := RefuseRemoval(d.Tell, op, Path(&d.Inode)); is {
		return refused
	}
	words := "this directory is generated: nothing can be made or removed here"
	if more, ok := d.Source.(interface{ Refusal() string }); ok {
		words += more.Refusal()
	}
	return d.fail(op, name, errno.Refuse(syscall.EPERM, words))
}

func (d *Dir) fail(op, name string, err error) syscall.Errno {
	return d.Tell.Tell(op, Path(&d.Inode, name), d.ID, err)
}
