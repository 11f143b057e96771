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

// openings are the handles of files that are open for writing. The opener of one without a close so
// far may still be in open(2). With O_TRUNC, that call truncates the file by name; the truncation
// belongs to the handle, or a program that is killed at that point would have emptied the file on the
// service.
type openings struct {
	openMu  sync.Mutex
	handles map[media.Ino][]openHandle // guarded by openMu
}

// openHandle is a handle, and the process that opened it, or 0 after a close.
type openHandle struct {
	*handle
	process uint32
}

// openForWriting returns the handle of a file that is opened for writing.
func (t *tree) openForWriting(ctx context.Context, file *media.Handle, flags uint32) *handle {
	tid, ino := caller.Thread(ctx), file.Ino()
	maps := flags&syscall.O_ACCMODE == syscall.O_RDWR
	if maps {
		file.WritesPages()
	}
	h := &handle{tree: t, file: file, uses: t.judge.Open(tid, inode.Media(uint64(ino)), maps)}
	t.openMu.Lock()
	t.handles[ino] = append(t.handles[ino], openHandle{h, caller.Process(tid)})
	t.openMu.Unlock()
	return h
}

// openingHandle returns the handle with which the process of thread tid is opening a file, or
// nil.
func (t *tree) openingHandle(ino media.Ino, tid uint32) *handle {
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

// noteClosed records a close of a handle, whose open has therefore returned.
func (t *tree) noteClosed(h *handle) {
	t.openMu.Lock()
	defer t.openMu.Unlock()
	for i, o := range t.handles[h.file.Ino()] {
		if o.handle == h {
			t.handles[h.file.Ino()][i].process = 0
		}
	}
}

// cut returns why what a close of h would publish may be a part, or nil: a program that writes the file
// through another handle was killed, and its close is still to come.
func (t *tree) cut(h *handle) error {
	t.openMu.Lock()
	others := slices.Clone(t.handles[h.file.Ino()])
	t.openMu.Unlock()
	for _, o := range others {
		if o.handle != h {
			if why := o.uses.Cut(); why != nil {
				return why
			}
		}
	}
	return nil
}

// noteReleased records the release of a handle.
func (t *tree) noteReleased(h *handle) {
	t.openMu.Lock()
	defer t.openMu.Unlock()
	ino := h.file.Ino()
	left := slices.DeleteFunc(t.handles[ino], func(o openHandle) bool { return o.handle == h })
	if len(left) == 0 {
		delete(t.handles, ino)
		return
	}
	t.handles[ino] = left
}
