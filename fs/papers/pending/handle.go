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
	by        *gofs.Inode   // what was opened
	byTemp    bool          // by was the inode of a temporary name
	opener    uint32        // the thread that did
	uses      *flush.File   // nil: it is open for reading only
	gen       atomic.Uint64 // of the draft, as it was written here last; 0: never
	answered  atomic.Uint64 // the greatest of those that a close has answered for: it was sent, has failed, or was left to another
	truncated atomic.Bool   // it has truncated a PDF, and nothing was written to that yet
	claimed   string        // the name that it has begun, of set.Others

	writeErr atomic.Pointer[error] // why a write never came to the draft; nil since it was emptied

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
	return h.uses != nil && gen > h.answered.Load() && !h.draft.Sent(gen)
}
