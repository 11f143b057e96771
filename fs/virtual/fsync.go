package virtual

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
)

// Fsync has nothing to do: a written value is on the service when write returns, and no
// other generated file can be written. Editors call fsync, and take a failure for possible
// data loss.
var (
	_ gofs.NodeFsyncer = (*Dir)(nil)
	_ gofs.NodeFsyncer = (*Document)(nil)
	_ gofs.NodeFsyncer = (*Value)(nil)
)

func (d *Dir) Fsync(context.Context, gofs.FileHandle, uint32) syscall.Errno      { return 0 }
func (d *Document) Fsync(context.Context, gofs.FileHandle, uint32) syscall.Errno { return 0 }
func (v *Value) Fsync(context.Context, gofs.FileHandle, uint32) syscall.Errno    { return 0 }
