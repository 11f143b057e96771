package pending

import (
	"context"
	"errors"
	"os"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
)

func (h *Handle) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	return readFrom(h.readAt, dest, off, h.fail)
}

// readAt reads the sent content once the last writer has closed the PDF.
func (h *Handle) readAt(dest []byte, off int64) (int, error) {
	n, err := h.PDF.readAt(dest, off)
	if !errors.Is(err, os.ErrClosed) {
		return n, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sent == nil {
		if h.sent, err = h.set.OpenContent(h.draft.SHA256()); err != nil {
			return 0, errno.Refuse(syscall.EIO, "this file is closed: its content was sent and not kept, or is in .paperfs/failed")
		}
	}
	return h.sent.ReadAt(dest, off)
}
