package media

import (
	"context"

	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/inode"
)

// Root is the directory media/.
type Root struct{ *dirNode }

// Watch starts the notices of changes that do not come through the kernel. Before the mount
// is served, the kernel accepts none.
func (r *Root) Watch() { r.tree.store.Subscribe(r.tree.changed) }

// WaitNotified waits until the kernel has been told of all changes so far.
func (r *Root) WaitNotified(ctx context.Context) { r.tree.waitNotices(ctx) }

// NewRoot returns the directory media/. Its number is inode.Media of media.Root.
func NewRoot(store *media.Store, tell *errno.Teller, owner inode.Owner, judge *flush.Judge) *Root {
	t := &tree{store: store, tell: tell, owner: owner, judge: judge, notices: inode.NewNotices[media.Ino, dirNode]()}
	t.handles = make(map[media.Ino][]openHandle)
	return &Root{t.notices.Enter(media.Root, func() *dirNode { return newDir(t, media.Root) })}
}
