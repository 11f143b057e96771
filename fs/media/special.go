package media

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
)

var (
	_ gofs.NodeGetattrer = (*specialNode)(nil)
	_ gofs.NodeSetattrer = (*specialNode)(nil)

	_ gofs.NodeOnForgetter = (*specialNode)(nil)

	_ gofs.NodeReadlinker = (*linkNode)(nil)
)

// specialNode is a pipe or the name of a socket, which can only be scratch. Its data stays
// in the kernel.
type specialNode struct {
	gofs.Inode
	tree *tree
	ino  media.Ino
}

func (s *specialNode) number() media.Ino { return s.ino }

// OnForget releases a removed node.
func (s *specialNode) OnForget() { s.tree.store.Forgotten(s.ino) }

func (s *specialNode) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return s.tree.getattr(s.ino, out)
}

func (s *specialNode) Setattr(_ context.Context, _ gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return s.tree.setattr(s.ino, in, out)
}

// linkNode is a symbolic link, which can only be scratch.
type linkNode struct{ specialNode }

func (l *linkNode) Readlink(context.Context) ([]byte, syscall.Errno) {
	a, err := l.tree.store.Stat(l.ino)
	if err != nil {
		return nil, l.tree.failed("readlink", a, err)
	}
	return []byte(a.Target), 0
}
