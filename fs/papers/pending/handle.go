package pending

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/flush"
	"paperfs/fs/virtual"
)

// Handle is a handle of pending content, with all duplicates of its descriptor.
type Handle struct {
	*PDF
	by        *gofs.Inode   // the inode that was opened
	file      *File         // the same as a file of a PDF's name; nil for a temporary name
	byTemp    bool          // by is the inode of a temporary name
	opener    uint32        // the thread that opened it
	uses      *flush.File   // nil: open for reading only
	gen       atomic.Uint64 // the draft's generation after the last write through this handle; 0: none
	answered  atomic.Uint64 // the last generation that a close has handled: sent, failed, or left to another handle
	truncated atomic.Bool   // it has truncated a PDF that nothing was written to since
	claimed   string        // the name that it has claimed in set.Others

	writeErr atomic.Pointer[error] // why a write did not reach the draft; reset when the draft is emptied

	mu   sync.Mutex // guards sent
	sent *os.File   // the content that was sent, once the PDF has ended
}

var (
	_ gofs.FileReader   = (*Handle)(nil)
	_ gofs.FileWriter   = (*Handle)(nil)
	_ gofs.FileFlusher  = (*Handle)(nil)
	_ gofs.FileFsyncer  = (*Handle)(nil)
	_ gofs.FileReleaser = (*Handle)(nil)
)

// shownAs returns the path for messages. A temporary file that became a PDF has a new
// inode at its new name.
func (h *Handle) shownAs() string {
	if h.byTemp {
		if to := h.place(); to != nil {
			return to.Name
		}
	}
	return virtual.Path(h.by)
}

func (h *Handle) tell(op string, err error) syscall.Errno {
	return h.set.Tell.Tell(op, h.shownAs(), h.paper.Load(), err)
}

// fail is tell for a step before the PDF is sent.
func (h *Handle) fail(op string, err error) syscall.Errno {
	if err == nil {
		return 0
	}
	return h.set.Tell.Failed(op, h.shownAs(), h.paper.Load(), err)
}

// unsent reports whether a later close of h has to send what was written through it.
func (h *Handle) unsent() bool {
	gen := h.gen.Load()
	return h.uses != nil && gen > h.answered.Load() && !h.draft.Sent(gen)
}
