package control

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/virtual"
)

// transaction is a file that answers on the handle that asked: one write(2) is one
// question, and reading returns its answer. It is a stream without positions, so that a
// shell can ask and read on one descriptor:
//
//	exec 3<>stat; echo papers/Spring.paper >&3; cat <&3
type transaction struct {
	gofs.Inode
	*virtual.Env
	virtual.About
	name   string
	answer func(ctx context.Context, question string) ([]byte, error)
}

var (
	_ virtual.Node         = (*transaction)(nil)
	_ gofs.NodeGetattrer   = (*transaction)(nil)
	_ gofs.NodeSetattrer   = (*transaction)(nil)
	_ gofs.NodeOpener      = (*transaction)(nil)
	_ gofs.NodeReader      = (*transaction)(nil)
	_ gofs.NodeWriter      = (*transaction)(nil)
	_ gofs.NodeOnForgetter = (*transaction)(nil)
)

// exchange is the handle of a transaction: the unread part of the answer.
type exchange struct {
	mu   sync.Mutex
	rest []byte // guarded by mu
}

// Attr shows size 1, so that programs try to read.
func (n *transaction) Attr(out *fuse.Attr) time.Duration {
	n.Owner.Fill(out, syscall.S_IFREG|0o600, n.Time())
	out.Size = 1
	return 0
}

func (n *transaction) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(n, out)
}

func (n *transaction) Setattr(_ context.Context, _ gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(n, out)
}

func (n *transaction) Open(context.Context, uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	return &exchange{}, fuse.FOPEN_DIRECT_IO | fuse.FOPEN_STREAM, 0
}

func (n *transaction) Write(ctx context.Context, f gofs.FileHandle, data []byte, _ int64) (uint32, syscall.Errno) {
	question := string(bytes.TrimSuffix(data, []byte("\n")))
	answer, err := virtual.Read(ctx, func(ctx context.Context) ([]byte, error) { return n.answer(ctx, question) })
	if err != nil {
		return 0, n.Tell.Tell(n.name, question, 0, err)
	}
	x := f.(*exchange)
	x.mu.Lock()
	x.rest = answer
	x.mu.Unlock()
	return uint32(len(data)), 0
}

func (n *transaction) Read(_ context.Context, f gofs.FileHandle, dest []byte, _ int64) (fuse.ReadResult, syscall.Errno) {
	x := f.(*exchange)
	x.mu.Lock()
	defer x.mu.Unlock()
	part := x.rest[:min(len(dest), len(x.rest))]
	x.rest = x.rest[len(part):]
	return fuse.ReadResultData(part), 0
}

func (n *transaction) OnForget() { n.Numbers.Forget(n.StableAttr().Ino) }

// stat answers a question to the file stat.
func (o *Options) stat(ctx context.Context, written string) ([]byte, error) {
	p, err := o.path(written)
	if err != nil {
		return nil, err
	}
	what, err := o.Stat(ctx, p)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(what, "", "  ")
	return append(text, '\n'), err
}
