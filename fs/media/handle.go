package media

import (
	"context"
	"errors"
	"io"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"

	"paperfs/cache/media"
	"paperfs/fs/caller"
	"paperfs/fs/flush"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
)

var (
	_ gofs.FileReader    = (*handle)(nil)
	_ gofs.FileWriter    = (*handle)(nil)
	_ gofs.FileAllocater = (*handle)(nil)
	_ gofs.FileFlusher   = (*handle)(nil)
	_ gofs.FileFsyncer   = (*handle)(nil)
	_ gofs.FileReleaser  = (*handle)(nil)
)

// handle is an open file.
type handle struct {
	tree *tree
	file *media.Handle
	uses *flush.File // nil for a read-only handle
}

func (h *handle) Read(ctx context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	if n, ok := h.file.ReadHere(dest, off); ok {
		return fuse.ReadResultData(dest[:n]), 0
	}
	n, err := virtual.ReadInPlace(ctx, func(ctx context.Context) (int, error) { return h.file.ReadAt(ctx, dest, off) })
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, h.failed("read", err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

func (h *handle) Write(ctx context.Context, data []byte, off int64) (uint32, syscall.Errno) {
	how := inode.WriteAt(off)
	if how.Mapped {
		h.writeMapped(ctx, data, how)
		return uint32(len(data)), 0
	}
	if errno := h.prepare(ctx, false); errno != 0 {
		return 0, errno
	}
	h.uses.Wrote(caller.Thread(ctx))
	n, err := h.write(data, how)
	if err != nil {
		return 0, h.failed("write", err)
	}
	if c, ok := fuse.FromContext(ctx); ok && c.Uid != 0 {
		h.file.DropPrivileges()
	}
	return uint32(n), 0
}

// writeMapped writes back what a program changed through a mapping. It returns no error: the
// kernel would keep that for the next write or close of the file, by any program, and fail that
// without asking. A failure breaks the content instead, so FSYNC (msync) and FLUSH return it.
func (h *handle) writeMapped(ctx context.Context, data []byte, how inode.WriteRequest) {
	if h.prepare(ctx, true) != 0 {
		return
	}
	h.uses.WroteMapped()
	_, err := h.write(data, how)
	h.failed("write", err)
}

func (h *handle) write(data []byte, how inode.WriteRequest) (int, error) {
	if how.Append {
		return h.file.Append(data)
	}
	return h.file.WriteAt(data, how.Offset)
}

func (h *handle) truncate(ctx context.Context, size int64) syscall.Errno {
	h.uses.Truncated(caller.Thread(ctx))
	return h.failed("truncate", h.file.Truncate(size))
}

// Allocate extends the file. It cannot make holes: the service gets every byte anyway.
func (h *handle) Allocate(ctx context.Context, off, size uint64, mode uint32) syscall.Errno {
	switch mode {
	case 0:
	case unix.FALLOC_FL_KEEP_SIZE:
		return 0 // a hint
	default:
		return syscall.EOPNOTSUPP
	}
	if errno := h.prepare(ctx, false); errno != 0 {
		return errno
	}
	h.uses.Wrote(caller.Thread(ctx))
	return h.failed("allocate", h.file.Allocate(int64(off+size)))
}

// Fsync fails after a refused write, which an msync has no other way to learn of.
func (h *handle) Fsync(context.Context, uint32) syscall.Errno {
	if refused := h.file.Broken(); refused != nil {
		return h.failed("fsync", refused)
	}
	return h.failed("fsync", h.file.Fsync())
}

// prepare makes a change of a part of the content possible. If it fails, the content lacks the change
// and is never published, unless the caller was interrupted and can repeat the change. A mapped write
// cannot be repeated.
func (h *handle) prepare(ctx context.Context, mapped bool) syscall.Errno {
	err := h.tree.lookForNewer(ctx, h.file.Ino(), true)
	if err == nil && !h.file.Prepared() {
		_, err = virtual.Read(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, h.file.Prepare(ctx) })
	}
	if err != nil && (mapped || !errors.Is(err, context.Canceled)) {
		h.file.Break(err)
	}
	return h.failed("write", err)
}

func (h *handle) failed(op string, err error) syscall.Errno {
	if err == nil {
		return 0
	}
	return h.tree.failed(op, h.attr(), err)
}

func (h *handle) attr() media.Attr { return h.tree.stat(h.file.Ino()) }

// lookForNewer looks for a version of others before a program keeps a part of what is published. A
// signal can end the wait.
func (t *tree) lookForNewer(ctx context.Context, ino media.Ino, keeps bool) error {
	if t.store.KnowsNewest(ino, keeps) {
		return nil
	}
	_, err := virtual.Read(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, t.store.LookForNewer(ctx, ino, keeps) })
	return err
}
