package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
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
	of     func(question string) string // the path that a question is about
	answer func(ctx context.Context, question string) (io.Reader, error)
}

var (
	_ virtual.Node         = (*transaction)(nil)
	_ gofs.NodeGetattrer   = (*transaction)(nil)
	_ gofs.NodeSetattrer   = (*transaction)(nil)
	_ gofs.NodeOpener      = (*transaction)(nil)
	_ gofs.NodeReader      = (*transaction)(nil)
	_ gofs.NodeWriter      = (*transaction)(nil)
	_ gofs.NodeIoctler     = (*transaction)(nil)
	_ gofs.NodeReleaser    = (*transaction)(nil)
	_ gofs.NodeOnForgetter = (*transaction)(nil)
)

// exchange is the handle of a transaction.
type exchange struct {
	ctx   context.Context // of all answers; they may still be read when the write has ended
	leave context.CancelFunc

	mu     sync.Mutex
	path   string    // guarded by mu: what the question was about
	answer io.Reader // guarded by mu
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
	x := &exchange{answer: bytes.NewReader(nil)}
	x.ctx, x.leave = context.WithCancel(context.Background())
	return x, fuse.FOPEN_DIRECT_IO | fuse.FOPEN_STREAM, 0
}

func (n *transaction) Write(ctx context.Context, f gofs.FileHandle, data []byte, _ int64) (uint32, syscall.Errno) {
	x, question := f.(*exchange), string(bytes.TrimSuffix(data, []byte("\n")))
	path := n.of(question)
	answer, err := virtual.Read(ctx, func(context.Context) (io.Reader, error) { return n.answer(x.ctx, question) })
	if err != nil {
		return 0, n.Tell.Tell(n.name, path, 0, err)
	}
	x.mu.Lock()
	x.path, x.answer = path, answer
	x.mu.Unlock()
	return uint32(len(data)), 0
}

// Ioctl asks as Write does. The kernel lets nobody write to a file of a mount for reading, but passes this on.
func (n *transaction) Ioctl(ctx context.Context, f gofs.FileHandle, cmd uint32, _ uint64, question, _ []byte) (int32, syscall.Errno) {
	if cmd != asking(len(question)) {
		return 0, syscall.ENOTTY // such as whether this is a terminal
	}
	_, errno := n.Write(ctx, f, question, 0)
	return 0, errno
}

func (n *transaction) Read(ctx context.Context, f gofs.FileHandle, dest []byte, _ int64) (fuse.ReadResult, syscall.Errno) {
	x := f.(*exchange)
	part, err := virtual.Read(ctx, func(context.Context) ([]byte, error) {
		x.mu.Lock()
		defer x.mu.Unlock()
		part := make([]byte, len(dest)) // not dest: a program that a signal ends does not wait for it
		count, err := x.answer.Read(part)
		if count > 0 || errors.Is(err, io.EOF) {
			return part[:count], nil // another error comes again
		}
		return nil, n.Tell.Tell(n.name, x.path, 0, err)
	})
	return fuse.ReadResultData(part), errno.Of(err)
}

func (n *transaction) Release(_ context.Context, f gofs.FileHandle) syscall.Errno {
	x := f.(*exchange)
	x.leave() // what is being read ends
	x.mu.Lock()
	defer x.mu.Unlock()
	if content, is := x.answer.(io.Closer); is {
		_ = content.Close() // it was only read
	}
	return 0
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
