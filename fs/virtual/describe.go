package virtual

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/describe"
)

// Every node of this package can say what it is.
var (
	_ describe.Describer   = (*Dir)(nil)
	_ describe.Describer   = (*Document)(nil)
	_ describe.Describer   = (*Value)(nil)
	_ describe.Describer   = (*Symlink)(nil)
	_ gofs.NodeGetxattrer  = (*Dir)(nil)
	_ gofs.NodeListxattrer = (*Dir)(nil)
	_ gofs.NodeGetxattrer  = (*Document)(nil)
	_ gofs.NodeListxattrer = (*Document)(nil)
	_ gofs.NodeGetxattrer  = (*Value)(nil)
	_ gofs.NodeListxattrer = (*Value)(nil)
)

func (d *Dir) Describe() describe.Description      { return d.describe(&d.Inode) }
func (d *Document) Describe() describe.Description { return d.describe(&d.Inode) }
func (v *Value) Describe() describe.Description    { return v.describe(&v.Inode) }
func (s *Symlink) Describe() describe.Description  { return s.describe(&s.Inode) }

func (d *Dir) Getxattr(_ context.Context, attr string, dest []byte) (uint32, syscall.Errno) {
	return describe.Getxattr(d, attr, dest)
}

func (d *Dir) Listxattr(_ context.Context, dest []byte) (uint32, syscall.Errno) {
	return describe.Listxattr(d, dest)
}

func (d *Document) Getxattr(_ context.Context, attr string, dest []byte) (uint32, syscall.Errno) {
	return describe.Getxattr(d, attr, dest)
}

func (d *Document) Listxattr(_ context.Context, dest []byte) (uint32, syscall.Errno) {
	return describe.Listxattr(d, dest)
}

func (v *Value) Getxattr(_ context.Context, attr string, dest []byte) (uint32, syscall.Errno) {
	return describe.Getxattr(v, attr, dest)
}

func (v *Value) Listxattr(_ context.Context, dest []byte) (uint32, syscall.Errno) {
	return describe.Listxattr(v, dest)
}
