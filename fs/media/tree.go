package media

import (
	"cmp"
	"context"
	"errors"
	"syscall"
	"time"

	content "paperfs/cache/content/tree"
	"paperfs/cache/media"
	"paperfs/cache/media/waiter"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
)

// The kernel may cache a name, its absence, and a file's attributes for entryValid, because
// notices report their changes. It may cache the attributes of a directory only for
// dirValid: when it asks for them again, the store checks the age of a tree that the kernel
// otherwise answers for alone.
const (
	entryValid = time.Hour
	dirValid   = time.Minute
)

// tree is shared by all nodes.
type tree struct {
	store   *media.Store
	tell    *errno.Teller
	owner   inode.Owner
	judge   *flush.Judge
	notices *inode.Notices[media.Ino, dirNode]
	pdfs    PDFs // set before the mount is served, if there are any
	openings
	readers
}

// failed reports a failure of op on a. A missing name is an answer, not a failure, and
// Stale makes the kernel look the name up again.
func (t *tree) failed(op string, a media.Attr, err error) syscall.Errno {
	if err == nil || media.Is(err, media.NotFound) || media.Is(err, media.Stale) {
		return errno.Of(err)
	}
	return t.tell.Failed(op, content.MountPath(cmp.Or(a.Path, a.Was)), a.ID, err)
}

// ended reports the outcome of a change of a. A change of an open file's content has
// succeeded only when the content is on the service: the store reports later uploads.
func (t *tree) ended(op string, a media.Attr, err error) syscall.Errno {
	if now := t.stat(a.Ino); err == nil && t.tell.Failing() && (a.Ino == 0 || now.Where == media.Published && now.Links > 0) {
		t.tell.Succeeded(op, content.MountPath(a.Path))
	}
	return t.failed(op, a, err)
}

// inodeFailed is failed for calls on an inode's number: if the inode no longer exists, ESTALE
// makes the kernel look the name up again.
func (t *tree) inodeFailed(op string, a media.Attr, err error) syscall.Errno {
	if media.Is(err, media.NotFound) {
		return syscall.ESTALE
	}
	return t.failed(op, a, err)
}

// change runs a change that may send a request. If its caller ends first, it logs the
// outcome when the change ends. what describes the object before the change. drop, which
// may be nil, drops from the kernel's caches what the change affected without the kernel
// seeing it.
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
		// Part of the change may have been made, or is still under way in the background. drop must not run in the
		// handler, because the kernel locks the directory until the handler returns.
		go drop()
	}
	return t.ended(op, what, err)
}

// stat returns what is known of an inode, for records of failures.
func (t *tree) stat(ino media.Ino) media.Attr {
	a, err := t.store.Stat(ino)
	if err != nil {
		return media.Attr{Ino: ino}
	}
	return a
}
