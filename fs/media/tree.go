package media

import (
	"context"
	"path"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/attr"
	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
)

// valid is how long the kernel may rely on entries and attributes. Changes
// are told to it; the limit lets it ask now and then, which is what has the
// store look for changes at the service.
const valid = 5 * time.Minute

// mountName is what the media store is called in the mount's root, for records
// of failures.
const mountName = "media"

// tree is what all nodes share.
type tree struct {
	store *media.Store
	tell  *errno.Teller
	owner attr.Owner
}

// NewRoot makes the directory that is shown as media/. Its number is
// inode.Media of media.Root.
func NewRoot(store *media.Store, tell *errno.Teller, owner attr.Owner) gofs.InodeEmbedder {
	return &rootNode{dirNode{tree: &tree{store, tell, owner}, ino: media.Root}}
}

// failed tells a failure of op on what is known as a. That a name is not there
// is an answer, not a failure.
func (t *tree) failed(op string, a media.Attr, err error) syscall.Errno {
	if err == nil || media.Is(err, media.NotFound) {
		return errno.Of(err)
	}
	return t.tell.Tell(op, path.Join(mountName, a.Path), a.ID, err)
}

// inode is failed for calls that go to an inode by its number: where that is
// gone, the kernel looks the name up anew.
func (t *tree) inode(op string, a media.Attr, err error) syscall.Errno {
	if media.Is(err, media.NotFound) {
		return syscall.ESTALE
	}
	return t.failed(op, a, err)
}

// change runs a change that may ask the service, for a caller who may be ended
// meanwhile: then the outcome is told when it is there. what names its object,
// before the change.
func (t *tree) change(ctx context.Context, op string, what media.Attr, change func(context.Context) error, late func()) syscall.Errno {
	err := virtual.Change(ctx, change, func(err error) {
		t.failed(op, what, err)
		if late != nil {
			late()
		}
	})
	return t.failed(op, what, err)
}

// child makes the node of an inode below parent.
func (t *tree) child(ctx context.Context, parent *gofs.Inode, a media.Attr) *gofs.Inode {
	id := gofs.StableAttr{Ino: inode.Media(uint64(a.Ino))}
	switch a.Kind {
	case media.Directory:
		id.Mode = syscall.S_IFDIR
		return parent.NewInode(ctx, &dirNode{tree: t, ino: a.Ino}, id)
	case media.Symlink:
		id.Mode = syscall.S_IFLNK
		return parent.NewInode(ctx, &linkNode{specialNode{tree: t, ino: a.Ino}}, id)
	case media.Fifo, media.Socket:
		id.Mode = fileType(a.Kind)
		return parent.NewInode(ctx, &specialNode{tree: t, ino: a.Ino}, id)
	}
	id.Mode = syscall.S_IFREG
	t.store.Known(a.Ino)
	return parent.NewInode(ctx, &fileNode{tree: t, ino: a.Ino}, id)
}

// entry answers a call that makes or finds a child.
func (t *tree) entry(ctx context.Context, parent *gofs.Inode, a media.Attr, out *fuse.EntryOut) *gofs.Inode {
	t.fill(a, &out.Attr)
	out.SetAttrTimeout(trusted(a))
	out.SetEntryTimeout(trusted(a))
	return t.child(ctx, parent, a)
}

// by is who makes something: the caller of ctx.
func (t *tree) by(ctx context.Context, name string, mode uint32) media.New {
	n := media.New{Mode: mode, UID: media.Owner, GID: media.Owner}
	if c, ok := fuse.FromContext(ctx); ok {
		n.UID, n.GID = int64(c.Uid), int64(c.Gid)
	}
	n.Comm = comm(ctx, name)
	return n
}

// comm is the name of the calling program, where it decides what name is.
func comm(ctx context.Context, name string) string {
	c, ok := fuse.FromContext(ctx)
	if !ok || !media.CommMatters(name) {
		return ""
	}
	return caller.Comm(caller.Process(c.Pid)) // a thread may call itself anything
}
