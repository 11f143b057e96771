package pending

import (
	"context"
	"slices"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
	"paperfs/fs/inode"
)

func (h *Handle) Write(ctx context.Context, data []byte, off int64) (uint32, syscall.Errno) {
	if h.uses == nil {
		return 0, syscall.EBADF
	}
	h.uses.Wrote(caller.Thread(ctx))
	n, err := h.write(data, inode.WriteAt(off))
	return uint32(n), h.fail("write", err)
}

func (h *Handle) write(data []byte, how inode.WriteRequest) (int, error) {
	h.PDF.mu.Lock()
	defer h.PDF.mu.Unlock()
	h.set.noteWrite(h)
	if err := h.applyTrim(); err != nil {
		return 0, err
	}
	if how.Append {
		return h.file.Append(data)
	}
	return h.file.WriteAt(data, how.Offset)
}

// Read reads what h would change or, without the right to write, what its name shows.
func (h *Handle) Read(ctx context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	here := func(dest []byte, off int64) (int, error) { return h.file.ReadAt(ctx, dest, off) }
	return readFrom(func(dest []byte, off int64) (int, error) {
		if trim := h.trimmed(); trim != nil && h.uses != nil {
			return trim.read(here, dest, off)
		}
		return here(dest, off)
	}, dest, off, h.fail)
}

// noteWrite is called before a write through h.
func (s *Set) noteWrite(h *Handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.through != nil && !slices.Contains(h.files, h.through) {
		h.files = append(h.files, h.through)
	}
}
