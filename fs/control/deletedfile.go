package control

import (
	"context"
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// deletedFile is the content of a file or PDF that was deleted or replaced, read-only. It never changes.
type deletedFile struct {
	gofs.Inode
	*virtual.Env
	virtual.About
	keeper Keeper
	entry  remote.Entry
}

var (
	_ virtual.Node         = (*deletedFile)(nil)
	_ inode.Describer      = (*deletedFile)(nil)
	_ gofs.NodeGetattrer   = (*deletedFile)(nil)
	_ gofs.NodeSetattrer   = (*deletedFile)(nil)
	_ gofs.NodeOpener      = (*deletedFile)(nil)
	_ gofs.NodeReader      = (*deletedFile)(nil)
	_ gofs.NodeReleaser    = (*deletedFile)(nil)
	_ gofs.NodeOnForgetter = (*deletedFile)(nil)
)

// deletedContent is the handle of a deletedFile: one answer of the service, as long as programs read in order.
type deletedContent struct {
	mu    sync.Mutex
	from  io.ReadCloser // guarded by mu; nil for none
	next  int64         // guarded by mu: offset of the next byte of from
	leave context.CancelFunc
}

func (f *deletedFile) Attr(out *fuse.Attr) time.Duration {
	f.Owner.Fill(out, syscall.S_IFREG|0o644, f.Time()) // cp gives its copies this mode, and people write them
	out.Size = uint64(f.entry.Bytes)
	return 0
}

func (f *deletedFile) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return virtual.FillAttr(f, out)
}

func (f *deletedFile) Setattr(_ context.Context, _ gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if _, resized := in.GetSize(); resized {
		return syscall.EACCES
	}
	return virtual.FillAttr(f, out)
}

// Open asks for nothing. Reads come as programs make them, so that they are answered in order.
func (f *deletedFile) Open(_ context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE != syscall.O_RDONLY {
		return nil, 0, syscall.EACCES
	}
	return &deletedContent{}, fuse.FOPEN_DIRECT_IO, 0
}

func (f *deletedFile) Read(ctx context.Context, h gofs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	size := max(min(int64(len(dest)), f.entry.Bytes-off), 0)
	data, err := virtual.Read(ctx, func(ctx context.Context) ([]byte, error) {
		part := make([]byte, size) // not dest: a program that a signal ends does not wait for it
		return part, h.(*deletedContent).read(ctx, f, part, off)
	})
	if err != nil {
		return nil, f.Tell.Tell("read", virtual.Path(&f.Inode), 0, err)
	}
	return fuse.ReadResultData(data), 0
}

// read fills part. An answer that broke off, as while a program did not read for long, is asked for once more.
func (c *deletedContent) read(ctx context.Context, f *deletedFile, part []byte, off int64) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for again := c.from != nil && c.next == off; len(part) > 0; again = false {
		if err = c.seek(ctx, f, off); err != nil {
			return err
		}
		n, err := io.ReadFull(c.from, part)
		part, off, c.next = part[n:], off+int64(n), off+int64(n)
		if err == nil {
			return nil
		}
		c.end()
		if !again {
			return err
		}
	}
	return nil
}

// seek has the service send what begins at an offset.
func (c *deletedContent) seek(ctx context.Context, f *deletedFile, off int64) error {
	if c.from != nil && c.next == off {
		return nil
	}
	c.end()
	whole, leave := context.WithCancel(context.WithoutCancel(ctx)) // the answer outlives the read
	stop := context.AfterFunc(ctx, leave)
	from, err := f.keeper.GetEntry(whole, f.entry.Entry, remote.Part{From: off})
	if !stop() && err == nil { // the program was ended meanwhile
		err = errors.Join(from.Close(), context.Canceled)
	}
	if err != nil {
		leave()
		return orStale(err)
	}
	c.from, c.next, c.leave = from, off, leave
	return nil
}

// orStale returns err or, if the service does not keep the content any more, ESTALE.
func orStale(err error) error {
	if failed, is := errors.AsType[*remote.Error](err); is && failed.Kind == remote.Refused && failed.Code == remote.Failure {
		return errno.Refuse(syscall.ESTALE, failed.Message)
	}
	return err
}

func (c *deletedContent) end() {
	if c.from != nil {
		_ = c.from.Close() // it was only read
		c.leave()
		c.from = nil
	}
}

func (f *deletedFile) Release(_ context.Context, h gofs.FileHandle) syscall.Errno {
	c := h.(*deletedContent)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
	return 0
}

func (f *deletedFile) OnForget() { f.Numbers.Forget(f.StableAttr().Ino) }

// Describe implements inode.Describer.
func (f *deletedFile) Describe() inode.Description {
	return inode.Description{Path: virtual.Path(&f.Inode), Kind: "generated", State: inode.Published}
}
