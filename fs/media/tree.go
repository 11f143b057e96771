package media

import (
	"cmp"
	"context"
	"errors"
	"path"
	"syscall"
	"time"

	"paperfs/cache/media"
	"paperfs/cache/media/waiter"
	"paperfs/fs/attr"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
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

// failed tells a failure of op on what is known as a. That a name is not there
// is an answer, not a failure.
func (t *tree) failed(op string, a media.Attr, err error) syscall.Errno {
	if err == nil || media.Is(err, media.NotFound) {
		return errno.Of(err)
	}
	return t.tell.Failed(op, path.Join(mountName, cmp.Or(a.Path, a.Was)), a.ID, err)
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

// stat is what is known of an inode, for records of failures.
func (t *tree) stat(ino media.Ino) media.Attr {
	a, err := t.store.Stat(ino)
	if err != nil {
		return media.Attr{Ino: ino}
	}
	return a
}
