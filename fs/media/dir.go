package media

import (
	"context"
	"path"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/inode"
)

var (
	_ gofs.NodeGetattrer      = (*dirNode)(nil)
	_ gofs.NodeSetattrer      = (*dirNode)(nil)
	_ gofs.NodeLookuper       = (*dirNode)(nil)
	_ gofs.NodeOpendirHandler = (*dirNode)(nil)
	_ gofs.NodeMkdirer        = (*dirNode)(nil)
	_ gofs.NodeMknoder        = (*dirNode)(nil)
	_ gofs.NodeCreater        = (*dirNode)(nil)
	_ gofs.NodeSymlinker      = (*dirNode)(nil)
	_ gofs.NodeLinker         = (*dirNode)(nil)
	_ gofs.NodeUnlinker       = (*dirNode)(nil)
	_ gofs.NodeRmdirer        = (*dirNode)(nil)
	_ gofs.NodeRenamer        = (*dirNode)(nil)
	_ gofs.NodeFsyncer        = (*dirNode)(nil)
	_ gofs.NodeStatfser       = (*dirNode)(nil)
	_ gofs.NodeOnForgetter    = (*dirNode)(nil)
)

// Dir has the entries of a directory of the store in a directory of the kernel, which is another one for the twin of a category or
// paper.
type Dir struct {
	tree *tree
	in   *gofs.Inode
	ino  media.Ino
}

// dirNode is a directory of the media store, or a scratch directory.
type dirNode struct {
	inode.Described
	Dir
}

func newDir(t *tree, ino media.Ino) *dirNode {
	d := &dirNode{Dir: Dir{tree: t, ino: ino}}
	d.in = &d.Inode
	return d
}

// numbered is implemented by every node of this package.
type numbered interface{ number() media.Ino }

func (d *dirNode) number() media.Ino { return d.ino }

// Getattr makes the store check for changes on the service if its tree is old. The kernel
// answers everything else from its cache.
func (d *dirNode) Getattr(ctx context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	if d.tree.store.Ready() {
		_ = d.tree.store.AwaitIn(ctx, d.ino) // does not wait, because the store is ready, and cannot fail
	}
	return d.tree.getattr(d.ino, out)
}

// Statfs leaves what the quota of media files leaves of the free space.
func (d *dirNode) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	out.Bavail = min(out.Bavail, uint64(d.tree.store.Left())/uint64(max(1, out.Bsize)))
	return 0
}

func (d *dirNode) Setattr(_ context.Context, _ gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return d.tree.setattr(d.ino, in, out)
}

var (
	errLink    = &media.Error{Kind: media.LocalOnly, Detail: "only files in media/ can be hard-linked there"}
	errDevice  = &media.Error{Kind: media.LocalOnly, Detail: "pipes, sockets and devices cannot be made here: make them in /tmp"}
	errFlags   = &media.Error{Kind: media.Invalid, Detail: "this kind of rename (exchange, whiteout) is not supported"}
	errPartial = &media.Error{Kind: media.Forbidden, Detail: "rsync was interrupted: a partial file is not published; with --partial-dir the next rsync continues it"}
	errOutside = &media.Error{Kind: media.Unsupported, Detail: "the service cannot move anything between media/ and papers/: copy it with cp"}
)

func (d Dir) Unlink(ctx context.Context, name string) syscall.Errno {
	return d.change(ctx, "rm", name, func(ctx context.Context) error { return d.tree.store.Unlink(ctx, d.ino, name) })
}

func (d Dir) Rmdir(ctx context.Context, name string) syscall.Errno {
	return d.change(ctx, "rmdir", name, func(ctx context.Context) error { return d.tree.store.Rmdir(ctx, d.ino, name) })
}

// Fsync answers fsync of the directory. A name is as durable as the mount promises when the
// call that created it returns.
func (d *dirNode) Fsync(context.Context, gofs.FileHandle, uint32) syscall.Errno {
	return d.tree.failed("fsync", d.tree.stat(d.ino), d.tree.store.Sync())
}

// change runs a change of the entry called name.
func (d Dir) change(ctx context.Context, op, name string, change func(context.Context) error) syscall.Errno {
	return d.tree.change(ctx, op, d.child(name), change, func() { d.dropCached(name) })
}

// failed reports a failure that concerns the entry called name.
func (d Dir) failed(op, name string, err error) syscall.Errno {
	return d.tree.failed(op, d.child(name), err)
}

// child describes an entry for records of failures, with the service's id if the kernel
// has looked the entry up.
func (d Dir) child(name string) media.Attr {
	a := media.Attr{Path: path.Join(d.tree.stat(d.ino).Path, name)}
	if in := d.in.GetChild(name); in != nil {
		if known, ok := in.Operations().(numbered); ok {
			a.ID = d.tree.stat(known.number()).ID
		}
	}
	return a
}

// dropCached drops names of the directory, and its listing, from the kernel's caches. It must not
// run in a handler, because it waits for handlers.
func (d Dir) dropCached(names ...string) {
	drop(d.in, names)
}

func drop(dir *gofs.Inode, names []string) {
	inode.AwaitReaders(dir)
	inode.DropEntries(dir, names)
}
