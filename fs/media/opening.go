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

// openings are the handles whose opener may still be in open(2), which with
// O_TRUNC empties the file by its name: that belongs to the handle, or a
// program that is killed there would have emptied it at the service.
type openings struct {
	openMu  sync.Mutex
	handles map[media.Ino][]opened // guarded by openMu
}

// opened is a handle that is not closed yet, and the process that opened it.
type opened struct {
	*handle
	process uint32
}

// opened makes the handle of a file that is opened for writing.
func (t *tree) opened(ctx context.Context, file *media.Handle, flags uint32) *handle {
	tid, ino := thread(ctx), file.Ino()
	maps := flags&syscall.O_ACCMODE == syscall.O_RDWR
	h := &handle{tree: t, file: file, uses: t.judge.Open(tid, inode.Media(uint64(ino)), maps)}
	t.openMu.Lock()
	t.handles[ino] = append(t.handles[ino], opened{h, caller.Process(tid)})
	t.openMu.Unlock()
	return h
}

// opening is the handle with which the process of thread tid opens a file, nil
// where it does not.
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

// got notes that somebody has closed a handle, so its open is long over.
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
