package media

import (
	"context"
	"errors"
	"path"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/cache/media/localname"
	"paperfs/cache/media/waiter"
	"paperfs/fs/attr"
	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/inode"
	"paperfs/fs/notice"
	"paperfs/fs/virtual"
)

// The kernel may rely on a name or its absence for entryValid, and on a file's
// attributes as long: what changes there is notified. The attributes of
// directories are valid for dirValid only: a tree that the kernel answers for
// alone is found to be old when it asks for them.
const (
	entryValid = time.Hour
	dirValid   = time.Minute
)

// mountName is what the media store is called in the mount's root, for records
// of failures.
const mountName = "media"

// tree is what all nodes share.
type tree struct {
	store   *media.Store
	tell    *errno.Teller
	owner   attr.Owner
	judge   *flush.Judge
	notices *notice.Set[media.Ino, dirNode]
	openings
	readers
}

// NewRoot makes the directory that is shown as media/. Its number is
// inode.Media of media.Root.
func NewRoot(store *media.Store, tell *errno.Teller, owner attr.Owner, judge *flush.Judge) *Root {
	t := &tree{store: store, tell: tell, owner: owner, judge: judge, notices: notice.New[media.Ino, dirNode]()}
	t.handles = make(map[media.Ino][]opened)
	r := &Root{dirNode{tree: t, ino: media.Root}}
	t.notices.Enter(media.Root, func() *dirNode { return &r.dirNode })
	return r
}

// failed tells a failure of op on what is known as a. That a name is not there
// is an answer, not a failure.
func (t *tree) failed(op string, a media.Attr, err error) syscall.Errno {
	if err == nil || media.Is(err, media.NotFound) {
		return errno.Of(err)
	}
	return t.tell.Failed(op, path.Join(mountName, a.Path), a.ID, err)
}

// ended tells how a change of what is known as a ended. One of an open file's
// content has gone well when that is at the service: what is still to be sent
// is told of by the store.
func (t *tree) ended(op string, a media.Attr, err error) syscall.Errno {
	if err == nil && t.tell.Failing() && (a.Ino == 0 || t.stat(a.Ino).Where == media.Published) {
		t.tell.Succeeded(path.Join(mountName, a.Path))
	}
	return t.failed(op, a, err)
}

// inode is failed for calls that go to an inode by its number: where that is
// gone, the kernel looks the name up again.
func (t *tree) inode(op string, a media.Attr, err error) syscall.Errno {
	if media.Is(err, media.NotFound) {
		return syscall.ESTALE
	}
	return t.failed(op, a, err)
}

// change runs a change that may ask the service, for a caller that may end before
// the change does: its outcome is logged then. what names its object,
// before the change; drop, which may be nil, has the kernel forget what it has
// of it, where the change was not seen by it.
func (t *tree) change(ctx context.Context, op string, what media.Attr, change func(context.Context) error, drop func()) syscall.Errno {
	if drop == nil {
		drop = func() {}
	}
	work, leave := waiter.With(context.WithoutCancel(ctx))
	err := virtual.Change(ctx, func(context.Context) error {
		defer leave()
		return change(work)
	}, func(err error) {
		if !errors.Is(err, waiter.ErrLeft) {
			t.ended(op, what, err)
		}
		drop()
	})
	if errors.Is(err, context.Canceled) {
		leave()
	}
	if _, refused := errors.AsType[*media.Error](err); err != nil && !refused {
		// Some of it may have been done, or is done in the background. Not in the handler: the kernel holds
		// the directory until that returns.
		go drop()
	}
	return t.ended(op, what, err)
}

// child makes the node of an inode below parent.
func (t *tree) child(ctx context.Context, parent *gofs.Inode, a media.Attr) *gofs.Inode {
	id := gofs.StableAttr{Ino: inode.Media(uint64(a.Ino))}
	switch a.Kind {
	case media.Directory:
		id.Mode = syscall.S_IFDIR
		return t.enter(ctx, parent, a.Ino, id)
	case media.Symlink:
		id.Mode = syscall.S_IFLNK
		return parent.NewInode(ctx, &linkNode{specialNode{tree: t, ino: a.Ino}}, id)
	case media.Fifo, media.Socket:
		id.Mode = fileType(a.Kind)
		return parent.NewInode(ctx, &specialNode{tree: t, ino: a.Ino}, id)
	}
	id.Mode = syscall.S_IFREG
	return parent.NewInode(ctx, &fileNode{tree: t, ino: a.Ino}, id)
}

// entry answers a call that makes or finds a child.
func (t *tree) entry(ctx context.Context, parent *gofs.Inode, a media.Attr, out *fuse.EntryOut) *gofs.Inode {
	t.store.Known(a.Ino)
	return t.known(ctx, parent, a, out)
}

// known is entry for what the store knows to be known to the kernel.
func (t *tree) known(ctx context.Context, parent *gofs.Inode, a media.Attr, out *fuse.EntryOut) *gofs.Inode {
	t.fill(a, &out.Attr)
	out.SetAttrTimeout(t.attrValid(a))
	out.SetEntryTimeout(nameValid(a))
	return t.child(ctx, parent, a)
}

// thread is the kernel's number of the calling thread, 0 where it is not known.
func thread(ctx context.Context) uint32 {
	if c, ok := fuse.FromContext(ctx); ok {
		return c.Pid
	}
	return 0
}

// by is the caller of ctx, which makes something.
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
	if !ok || !localname.CommMatters(name) {
		return ""
	}
	return caller.Comm(caller.Process(c.Pid)) // a thread may call itself anything
}
