package media

import (
	"context"
	"errors"
	"io"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/caller"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
)

var (
	_ gofs.NodeGetattrer = (*fileNode)(nil)
	_ gofs.NodeSetattrer = (*fileNode)(nil)
	_ gofs.NodeOpener    = (*fileNode)(nil)

	_ gofs.NodeOnForgetter = (*fileNode)(nil)
)

// fileNode is a file of the media store, or a scratch file.
type fileNode struct {
	inode.Described
	tree *tree
	ino  media.Ino
}

func (f *fileNode) number() media.Ino { return f.ino }

func (f *fileNode) Getattr(_ context.Context, _ gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return f.tree.getattr(f.ino, out)
}

// OnForget releases a removed file.
func (f *fileNode) OnForget() { f.tree.store.Forgotten(f.ino) }

// Setattr changes mode, owner and times locally. A new length is a write: through its
// handle, or published at once if it has none. An open with O_TRUNC sends no handle.
func (f *fileNode) Setattr(ctx context.Context, fh gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	size, ok := in.GetSize()
	if fh == nil && f.tree.store.MeantForName(f.ino, ok) {
		return syscall.ESTALE // the kernel looks the name up again
	}
	if ok {
		if errno := f.resize(ctx, fh, int64(size)); errno != 0 {
			return errno
		}
	}
	return f.tree.setattr(f.ino, in, out)
}

func (f *fileNode) resize(ctx context.Context, fh gofs.FileHandle, size int64) syscall.Errno {
	what := f.tree.stat(f.ino)
	if h, ok := fh.(*handle); ok {
		if size > 0 {
			if errno := h.prepare(ctx, false); errno != 0 {
				return errno
			}
		}
		return h.truncate(ctx, size)
	}
	if h := f.tree.openingHandle(f.ino, caller.Thread(ctx)); h != nil && size == 0 {
		return h.truncate(ctx, 0)
	}
	if err := f.tree.await(ctx, f.ino); err != nil {
		return f.tree.inodeFailed("truncate", what, err)
	}
	return f.tree.change(ctx, "truncate", what, func(ctx context.Context) error {
		return f.tree.store.SetSize(ctx, f.ino, size)
	}, nil)
}

// Open opens the file without its content. If the size is a guess, a reader's Open fetches
// the content and tells the kernel the size, because the kernel does not read past it.
func (f *fileNode) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if err := f.tree.await(ctx, f.ino); err != nil {
		return nil, 0, f.tree.inodeFailed("open", f.tree.stat(f.ino), err)
	}
	writes := flags&syscall.O_ACCMODE != syscall.O_RDONLY
	if writes {
		if err := f.tree.lookForNewer(ctx, f.ino, flags&syscall.O_APPEND != 0); err != nil {
			return nil, 0, f.tree.inodeFailed("open", f.tree.stat(f.ino), err)
		}
	}
	a := f.tree.stat(f.ino)
	if writes && a.PDF {
		if a.Links == 0 {
			return nil, 0, syscall.ESTALE // the kernel opens what the name shows now
		}
		if err := f.beginPDF(ctx, a, flags); err != nil {
			return nil, 0, f.tree.failed("write", a, err)
		}
	}
	file, err := f.tree.store.Open(f.ino, writes)
	if err != nil {
		return nil, 0, f.tree.inodeFailed("open", a, err)
	}
	if writes {
		return f.tree.openForWriting(ctx, file, flags), openFlags(flags, file), 0
	}
	h := &handle{tree: f.tree, file: file}
	if errno := f.prepareRead(ctx, h, a); errno != 0 {
		file.Release()
		return nil, 0, errno
	}
	f.tree.readBegins()
	return h, openFlags(flags, file), 0
}

// openFlags returns the kernel's flags for a handle opened with flags. The bytes of an inode change
// only by writes that the kernel sends, so its pages stay right. A write-only handle bypasses the page
// cache, which saves a copy of each write. A handle that can also read may be mapped, for which the
// kernel needs the cache. (Linux 6.6 can map what bypasses it: go-fuse can ask for
// CAP_DIRECT_IO_ALLOW_MMAP, and shared mappings hold. It is not asked for: older kernels need all of
// PagesAreRight, and databases, which read with such handles, would have no cache.) A handle that only
// reads needs no FLUSH: its close publishes nothing.
func openFlags(flags uint32, file *media.Handle) uint32 {
	switch {
	case flags&syscall.O_ACCMODE == syscall.O_WRONLY:
		return fuse.FOPEN_DIRECT_IO
	case flags&syscall.O_ACCMODE == syscall.O_RDONLY && file.PagesAreRight():
		return fuse.FOPEN_KEEP_CACHE | fuse.FOPEN_NOFLUSH
	}
	return 0
}

// prepareRead waits until the service has told what the content is, and refuses to open a file whose
// content is not available.
func (f *fileNode) prepareRead(ctx context.Context, h *handle, a media.Attr) syscall.Errno {
	_, err := virtual.ReadInPlace(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, h.file.Begin(ctx) })
	switch {
	case media.Is(err, media.Superseded):
		return syscall.ESTALE // the kernel opens what the name shows now
	case err != nil:
		return f.tree.failed("open", a, err)
	}
	if a.SizeKnown {
		return 0
	}
	return f.learnSize(ctx, h)
}

func (f *fileNode) learnSize(ctx context.Context, h *handle) syscall.Errno {
	a := f.tree.stat(f.ino)
	if a.Size == 0 {
		return 0
	}
	var last [1]byte
	_, err := virtual.ReadInPlace(ctx, func(ctx context.Context) (int, error) { return h.file.ReadAt(ctx, last[:], a.Size-1) })
	if err != nil && !errors.Is(err, io.EOF) {
		return f.tree.failed("open", a, err)
	}
	return f.WriteCache(a.Size-1, last[:])
}
