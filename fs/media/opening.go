package media

import (
	"context"
	"slices"
	"sync"
	"syscall"

	"paperfs/cache/media"
	"paperfs/fs/caller"
	"paperfs/fs/inode"
)

// openings are the handles whose opener may still be in open(2). With O_TRUNC, that call
// truncates the file by name; the truncation belongs to the handle, or a program that is
// killed at that point would have emptied the file on the service.
type openings struct {
	openMu  sync.Mutex
	handles map[media.Ino][]opened // guarded by openMu
}

// opened is a handle without a close so far, and the process that opened it.
type opened struct {
	*handle
	process uint32
}

// opened returns the handle of a file that is opened for writing.
func (t *tree) opened(ctx context.Context, file *media.Handle, flags uint32) *handle {
	tid, ino := caller.Thread(ctx), file.Ino()
	maps := flags&syscall.O_ACCMODE == syscall.O_RDWR
	h := &handle{tree: t, file: file, uses: t.judge.Open(tid, inode.Media(uint64(ino)), maps)}
	t.openMu.Lock()
	t.handles[ino] = append(t.handles[ino], opened{h, caller.Process(tid)})
	t.openMu.Unlock()
	return h
}

// opening returns the handle with which the process of thread tid is opening a file, or
// nil.
func (t *tree) opening(ino media.Ino, tid uint32) *handle {
	process := caller.Process(tid)
	t.openMu.Lock()
	defer t.openMu.Unlock()
	for _, o := range slices.Backward(t.handles[ino]) {
		if process != 0 && o.process == process {
			return o.handle
		}
	}
	return nil
}

// got records a close of a handle, whose open has therefore returned.
func (t *tree) got(h *handle) {
	t.openMu.Lock()
	defer t.openMu.Unlock()
	ino := h.file.Ino()
	left := slices.DeleteFunc(t.handles[ino], func(o opened) bool { return o.handle == h })
	if len(left) == 0 {
		delete(t.handles, ino)
		return
	}
	t.handles[ino] = left
}
