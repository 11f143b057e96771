package pending

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/virtual"
)

// Handle is a handle of pending content, with all duplicates of its descriptor.
type Handle struct {
	*PDF
	by     *gofs.Inode   // what was opened
	temp   bool          // by was the inode of a temporary name
	opener uint32        // the thread that did
	uses   *flush.File   // nil: it is open for reading only
	gen    atomic.Uint64 // of the draft, as it was written here last; 0: never
	seen   atomic.Uint64 // the greatest of those that a close has answered for: it was sent, has failed, or was left to another
	cuts   atomic.Bool   // it has truncated a PDF, and nothing was written to that yet
	other  string        // the name that it has begun, of set.Others

	lacks atomic.Pointer[error] // why a write never came to the draft; nil since it was emptied

	mu   sync.Mutex // guards sent
	sent *os.File   // what was sent, once the PDF has ended
}

var (
	_ gofs.FileReader   = (*Handle)(nil)
	_ gofs.FileWriter   = (*Handle)(nil)
	_ gofs.FileFlusher  = (*Handle)(nil)
	_ gofs.FileFsyncer  = (*Handle)(nil)
	_ gofs.FileReleaser = (*Handle)(nil)
)

// shownAs is the path that is told. A temporary file that has become a PDF has another inode at its name.
func (h *Handle) shownAs() string {
	if h.temp {
		if to := h.place(); to != nil {
			return to.Name
		}
	}
	return virtual.Path(h.by)
}

func (h *Handle) tell(op string, err error) syscall.Errno {
	return h.set.Tell.Tell(op, h.shownAs(), h.paper.Load(), err)
}

// fail is tell for a step on the way to a PDF that is sent.
func (h *Handle) fail(op string, err error) syscall.Errno {
	if err == nil {
		return 0
	}
	return h.set.Tell.Failed(op, h.shownAs(), h.paper.Load(), err)
}

// unsent reports whether a close is to come that sends what was written here.
func (h *Handle) unsent() bool {
	gen := h.gen.Load()
	return h.uses != nil && gen > h.seen.Load() && !h.draft.Sent(gen)
}

// Fsync makes what was written durable on this machine; only a close sends.
func (h *Handle) Fsync(context.Context, uint32) syscall.Errno {
	return h.fail("fsync", h.draft.Fsync())
}

func (h *Handle) Release(ctx context.Context) syscall.Errno {
	if h.uses != nil {
		_ = h.uses.Released() // no mapping can have changed it since: it is past the page cache
	}
	h.mu.Lock()
	if h.sent != nil {
		h.sent.Close()
	}
	h.mu.Unlock()
	if h.other != "" {
		h.set.Others.End(h.paper.Load(), h.other, h.written.Load() && !h.gone.Load() && h.draft.Failure() == nil)
	}
	if h.set.leave(h) {
		h.end(ctx)
	}
	return 0
}

func (h *Handle) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	return readFrom(h.readAt, dest, off, h.fail)
}

// readAt goes on with what was sent, where the last writer has closed it.
func (h *Handle) readAt(dest []byte, off int64) (int, error) {
	n, err := h.PDF.readAt(dest, off)
	if !errors.Is(err, os.ErrClosed) {
		return n, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sent == nil {
		if h.sent, err = h.set.OpenContent(h.paper.Load(), h.draft.SHA256()); err != nil {
			return 0, errno.Refuse(syscall.EIO, "this file is closed: its content was sent and not kept, or is in .paperfs/failed")
		}
	}
	return h.sent.ReadAt(dest, off)
}
