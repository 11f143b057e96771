package pending

import (
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/media"
	"paperfs/fs/flush"
	"paperfs/fs/virtual"
)

// Handle is a handle of pending content, with all duplicates of its descriptor.
type Handle struct {
	*PDF
	file    *media.Handle
	by      *gofs.Inode // the inode that was opened
	through *File       // the same as a file of a PDF's name; nil for a temporary name
	byTemp  bool        // by is the inode of a temporary name
	opener  uint32      // the thread that opened it
	uses    *flush.File // nil: open for reading only
	claimed string      // the name that it has claimed in set.Others

	// set.mu guards the rest.
	truncated bool        // it has truncated a PDF, which the next write will do
	before    *truncation // what was truncated before
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
	return h.set.Tell.Tell(op, h.shownAs(), h.Paper(), err)
}

// fail is tell for a step before the PDF is sent.
func (h *Handle) fail(op string, err error) syscall.Errno {
	if err == nil {
		return 0
	}
	return h.set.Tell.Failed(op, h.shownAs(), h.Paper(), err)
}
