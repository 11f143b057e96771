package virtual

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/inode"
)

// Symlink is a generated symlink. It computes its target each time it is read, so that
// it follows a target that moves.
type Symlink struct {
	gofs.Inode
	*Env
	About
	Target func() string
}

var (
	_ Node                 = (*Symlink)(nil)
	_ gofs.NodeGetattrer   = (*Symlink)(nil)
	_ gofs.NodeReadlinker  = (*Symlink)(nil)
	_ gofs.NodeOnForgetter = (*Symlink)(nil)
)

// Attr implements Node. The size of a symlink is the length of its target: tar and ls
// rely on it.
func (s *Symlink) Attr(out *fuse.Attr) time.Duration {
	s.Owner.Fill(out, inode.LinkMode, s.Time())
	out.Mode = inode.LinkMode
	out.Size = uint64(len(s.Target()))
	return 0
}

func (s *Symlink) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return FillAttr(s, out)
}

func (s *Symlink) Readlink(context.Context) ([]byte, syscall.Errno) {
	return []byte(s.Target()), 0
}

func (s *Symlink) OnForget() { s.Numbers.Forget(s.StableAttr().Ino) }
