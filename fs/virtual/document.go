package virtual

import (
	"context"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/inode"
)

// Document is a read-only file whose content is fetched when it is opened.
//
// Before the first fetch its size is unknown. It then shows size 1, because programs take
// 0 for "nothing to read". Open tells the kernel the true size by storing the last byte in
// the page cache; attributes are never cached. So all programs read the whole content.
//
// A file has one size and one page cache in the kernel. What changes all the time is Live: its reads
// do not use them, so two programs that read it at the same time do not get each other's bytes.
type Document struct {
	inode.Described
	*Env
	About
	// Load fetches the content.
	Load func(ctx context.Context) ([]byte, error)
	// Known returns the size if it is known without a request. It may be nil.
	Known func() (size int, ok bool)
	// Version changes when a size that was read must no longer be shown; ok is false if
	// the version is not known. It may be nil.
	Version func() (version uint64, ok bool)
	Mode    uint32 // permissions; 0 means 0444
	Live    bool   // each open may find another content; it cannot be mapped on all kernels

	open opened
	last atomic.Pointer[lastRead]
}

// lastRead is the size of the last read, and the version at that time.
type lastRead struct {
	size      int
	version   uint64
	versioned bool // the version was known
}

// unknownSize is shown while the size is not known.
const unknownSize = 1

var (
	_ Node                 = (*Document)(nil)
	_ gofs.NodeGetattrer   = (*Document)(nil)
	_ gofs.NodeSetattrer   = (*Document)(nil)
	_ gofs.NodeOpener      = (*Document)(nil)
	_ gofs.NodeReader      = (*Document)(nil)
	_ gofs.NodeReleaser    = (*Document)(nil)
	_ gofs.NodeOnForgetter = (*Document)(nil)
)

// content is the handle of an opened file: its content at open.
type content struct{ data []byte }

func (d *Document) Attr(out *fuse.Attr) time.Duration {
	mode := uint32(inode.ReadOnlyMode)
	if d.Mode != 0 {
		mode = syscall.S_IFREG | d.Mode
	}
	d.Owner.Fill(out, mode, d.Time())
	out.Size = d.size()
	return 0
}

func (d *Document) Getattr(_ context.Context, f gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return fillFile(d, f, out)
}

func (d *Document) Setattr(_ context.Context, f gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return fillFile(d, f, out)
}

func (d *Document) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE != syscall.O_RDONLY {
		return nil, 0, syscall.EACCES
	}
	data, errno := readAtOpen(ctx, d.Env, &d.Inode, d.ID, d.Load)
	if errno != 0 {
		return nil, 0, errno
	}
	d.noteRead(len(data))
	if d.Live {
		return d.open.note(data), fuse.FOPEN_DIRECT_IO, 0
	}
	return d.open.begin(&d.Inode, data), 0, 0
}

// readAtOpen fetches the content for an opened file, and reports the outcome to the
// Teller.
func readAtOpen(ctx context.Context, env *Env, node *gofs.Inode, id int64, load func(context.Context) ([]byte, error)) ([]byte, syscall.Errno) {
	data, err := Read(ctx, load)
	if err != nil {
		return nil, env.Tell.Tell("read", Path(node), id, err)
	}
	if env.Tell.Failing() {
		env.Tell.Tell("read", Path(node), id, nil)
	}
	return data, 0
}

// noteRead records the size of a read.
func (d *Document) noteRead(size int) {
	r := &lastRead{size: size}
	if d.Version != nil {
		r.version, r.versioned = d.Version()
	}
	d.last.Store(r)
}

// size returns the size to show: that of the newest open handle, of the content that a
// read would return now, or of the last read.
func (d *Document) size() uint64 {
	if size, ok := knownSize(&d.open, d.Known); ok {
		return size
	}
	r := d.last.Load()
	if r == nil {
		return unknownSize
	}
	if r.versioned {
		now, ok := d.Version()
		if ok && now == r.version {
			return uint64(r.size)
		}
		if ok {
			return unknownSize
		}
	}
	return uint64(max(r.size, unknownSize)) // programs take 0 for "nothing to read"
}

func (d *Document) Read(_ context.Context, f gofs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	return f.(*content).read(dest, off), 0
}

func (d *Document) Release(context.Context, gofs.FileHandle) syscall.Errno {
	d.open.end()
	return 0
}

func (d *Document) OnForget() { d.Numbers.Forget(d.StableAttr().Ino) }

// opened records the size of the newest handle of a file, for a GETATTR without a
// handle.
type opened struct {
	mu    sync.Mutex
	count int // guarded by mu: open handles
	size  int // guarded by mu: the size of the newest
}

// note returns the handle for data.
func (o *opened) note(data []byte) *content {
	o.mu.Lock()
	o.count++
	o.size = len(data)
	o.mu.Unlock()
	return &content{data}
}

// begin returns the handle for data and tells the kernel the size.
func (o *opened) begin(n *gofs.Inode, data []byte) *content {
	c := o.note(data)
	if last := len(data) - 1; last >= 0 {
		// An error means that the kernel no longer knows the inode.
		_ = n.WriteCache(int64(last), data[last:])
	}
	return c
}

func (o *opened) end() {
	o.mu.Lock()
	o.count--
	o.mu.Unlock()
}

func (o *opened) current() (size int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.size, o.count > 0
}

// knownSize returns the size of the newest open handle, or else that of the content that
// is known without a request.
func knownSize(o *opened, known func() (int, bool)) (uint64, bool) {
	if size, ok := o.current(); ok {
		return uint64(size), true
	}
	if known == nil {
		return 0, false
	}
	size, ok := known()
	return uint64(size), ok
}

func (c *content) read(dest []byte, off int64) fuse.ReadResult {
	if off >= int64(len(c.data)) {
		return fuse.ReadResultData(nil)
	}
	return fuse.ReadResultData(c.data[off:min(int64(len(c.data)), off+int64(len(dest)))])
}

// fillFile is FillAttr for a file: a handle has its own size.
func fillFile(n Node, f gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	FillAttr(n, out)
	if c, ok := f.(*content); ok {
		out.Size = uint64(len(c.data))
	}
	return 0
}
