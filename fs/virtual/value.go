package virtual

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/inode"
)

// Value is a file that is read and written as one value, as in sysfs. One write(2) is one
// value: Write checks and sends it, and returns the outcome as its errno, because shells
// report that and ignore a failing close. Truncation alone does nothing. Reading adds one
// newline, writing removes one.
type Value struct {
	inode.Described
	*Env
	About
	// Load returns the value; nil for a file that is only written.
	Load func(ctx context.Context) (string, error)
	// Store sends a value; nil for a file that is only read.
	Store func(ctx context.Context, value string) error
	// Known returns the value if it is known without a request. It may be nil.
	Known func() (value string, ok bool)
	// Lines is set for a value that has its own newlines.
	Lines bool
	// AtClose is set for a value of several lines, which shells write one by one: a close checks and sends all that was written.
	AtClose bool
	Mode    uint32 // permissions; 0 means 0644 with Store and 0444 without

	open opened
}

// MaxValue is the most bytes of a value.
const MaxValue = 64 << 10

var (
	_ Node                 = (*Value)(nil)
	_ gofs.NodeGetattrer   = (*Value)(nil)
	_ gofs.NodeSetattrer   = (*Value)(nil)
	_ gofs.NodeOpener      = (*Value)(nil)
	_ gofs.NodeReader      = (*Value)(nil)
	_ gofs.NodeWriter      = (*Value)(nil)
	_ gofs.NodeFlusher     = (*Value)(nil)
	_ gofs.NodeReleaser    = (*Value)(nil)
	_ gofs.NodeOnForgetter = (*Value)(nil)
)

// writing is the handle of a value that is open for writing.
type writing struct {
	appends bool

	mu   sync.Mutex
	text []byte // what was written, with AtClose
	sent int    // how much of it a close has sent
}

func (v *Value) Attr(out *fuse.Attr) time.Duration {
	mode := uint32(inode.FileMode)
	switch {
	case v.Mode != 0:
		mode = syscall.S_IFREG | v.Mode
	case v.Store == nil:
		mode = inode.ReadOnlyMode
	}
	v.Owner.Fill(out, mode, v.Time())
	out.Size = unknownSize
	if size, ok := knownSize(&v.open, v.knownSize); ok {
		out.Size = size
	}
	return 0
}

func (v *Value) Getattr(_ context.Context, f gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return fillFile(v, f, out)
}

func (v *Value) Setattr(_ context.Context, f gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return fillFile(v, f, out)
}

// Open returns a handle for writing, which bypasses the page cache so that one write(2)
// arrives as one WRITE, or a handle that reads the value as it was at open. A handle for
// both fetches the value only when it is read.
func (v *Value) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE != syscall.O_RDONLY {
		if v.Store == nil {
			return nil, 0, syscall.EACCES
		}
		return &writing{appends: flags&syscall.O_APPEND != 0}, fuse.FOPEN_DIRECT_IO, 0
	}
	data, errno := readAtOpen(ctx, v.Env, &v.Inode, v.ID, v.load)
	if errno != 0 {
		return nil, 0, errno
	}
	return v.open.begin(&v.Inode, data), 0, 0
}

func (v *Value) Read(ctx context.Context, f gofs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	if c, ok := f.(*content); ok {
		return c.read(dest, off), 0
	}
	data, err := Read(ctx, v.load)
	if err != nil {
		return nil, v.Tell.Tell("read", Path(&v.Inode), v.ID, err)
	}
	return (&content{data}).read(dest, off), 0
}

func (v *Value) Write(ctx context.Context, f gofs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	w, ok := f.(*writing)
	if !ok {
		return 0, v.fail(errno.Refuse(syscall.EBADF, "the file is open for reading only"))
	}
	err := w.take(data, off, v.AtClose)
	if err == nil && !v.AtClose {
		err = v.store(ctx, data)
	}
	if errno := v.fail(err); errno != 0 {
		return 0, errno
	}
	return uint32(len(data)), 0
}

func (v *Value) store(ctx context.Context, data []byte) error {
	value := string(bytes.TrimSuffix(data, []byte("\n")))
	return Change(ctx, func(ctx context.Context) error { return v.Store(ctx, value) }, func(err error) { v.fail(err) })
}

// Flush sends what was written since the last one, with what came before it.
func (v *Value) Flush(ctx context.Context, f gofs.FileHandle) syscall.Errno {
	if w, ok := f.(*writing); ok {
		w.mu.Lock()
		text, news := w.text, w.sent < len(w.text)
		w.sent = len(text)
		w.mu.Unlock()
		if news {
			return v.fail(v.store(ctx, text))
		}
	}
	return 0
}

// take accepts a write of a whole value or, to keep it, of its next part. With O_APPEND the kernel sends the end of the
// file as the offset; take treats it as the start.
func (w *writing) take(data []byte, off int64, keep bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch size := len(w.text) + len(data); {
	case off != int64(len(w.text)) && !w.appends:
		return errno.Refuse(syscall.EINVAL, "a value is written with one write, at the start of the file")
	case size > MaxValue:
		return errno.Refuse(syscall.EINVAL, fmt.Sprintf("a value has at most %d bytes, this one has %d", MaxValue, size))
	}
	if keep {
		w.text = append(w.text, data...)
	}
	return nil
}

func (v *Value) Release(_ context.Context, f gofs.FileHandle) syscall.Errno {
	if _, ok := f.(*content); ok {
		v.open.end()
	}
	return 0
}

func (v *Value) OnForget() { v.Numbers.Forget(v.StableAttr().Ino) }

func (v *Value) fail(err error) syscall.Errno {
	return v.Tell.Tell("write", Path(&v.Inode), v.ID, err)
}

func (v *Value) load(ctx context.Context) ([]byte, error) {
	if v.Load == nil {
		return nil, nil
	}
	value, err := v.Load(ctx)
	if err != nil {
		return nil, err
	}
	return v.render(value), nil
}

func (v *Value) render(value string) []byte {
	if value == "" || v.Lines {
		return []byte(value)
	}
	return []byte(value + "\n")
}

func (v *Value) knownSize() (int, bool) {
	if v.Load == nil {
		return 0, true
	}
	if v.Known == nil {
		return 0, false
	}
	value, ok := v.Known()
	return len(v.render(value)), ok
}
