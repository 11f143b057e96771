package media

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
)

var (
	_ gofs.NodeGetattrer   = (*linkNode)(nil)
	_ gofs.NodeSetattrer   = (*linkNode)(nil)
	_ gofs.NodeOnForgetter = (*linkNode)(nil)
	_ gofs.NodeReadlinker  = (*linkNode)(nil)
)

// linkNode is a symbolic link, which can only be scratch.
type linkNode struct {
	gofs.Inode
	tree *tree
	ino  media.Ino
}

func (l *linkNode) number() media.Ino { return l.ino }

// OnForget releases a removed node.
func (l *linkNode) OnForget() { l.tree.store.Forgotten(l.ino) }

func (l *linkNode) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return l.tree.getattr(l.ino, out)
}

func (l *linkNode) Setattr(_ context.Context, _ gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return l.tree.setattr(l.ino, in, out)
}

func (l *linkNode) Readlink(context.Context) ([]byte, syscall.Errno) {
	a, err := l.tree.store.Stat(l.ino)
	if err != nil {
		return nil, l.tree.failed("readlink", a, err)
	}
	return []byte(a.Target), 0
}
