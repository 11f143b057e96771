// Package request carries what go-fuse's nodes do not see of a request: the
// nodes of a WRITE get neither its flags nor those of the descriptor.
package request

import (
	"math"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// Write is what a WRITE does.
type Write struct {
	// Mapped: the kernel writes pages back that a program has changed through a
	// mapping, at any time and for nobody.
	Mapped bool
	// Append: the content goes to the end of the file, wherever that is. Pages of
	// a mapping never do, whatever their descriptor was opened with.
	Append bool
	// Offset in bytes; not set where Append is.
	Offset int64
}

// appends stands for an offset, and mapped is added to one. The kernel sends
// none below 0, and none at or past the longest possible file.
const (
	appends = math.MaxUint64
	mapped  = 1 << 63
)

// WriteAt reads the offset that a node's Write gets, where Writes wraps the nodes.
func WriteAt(off int64) Write {
	switch {
	case off == -1:
		return Write{Append: true}
	case off < 0:
		return Write{Mapped: true, Offset: off & math.MaxInt64}
	}
	return Write{Offset: off}
}

// Writes puts the flags of each WRITE into the offset that the wrapped nodes get.
type Writes struct{ fuse.RawFileSystem }

func (w Writes) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	return w.RawFileSystem.Write(cancel, flagged(in), data)
}

func (w Writes) Writev(cancel <-chan struct{}, in *fuse.WriteIn, data [][]byte) (uint32, fuse.Status) {
	return w.RawFileSystem.Writev(cancel, flagged(in), data)
}

// flagged is in with the offset that WriteAt reads. in itself stays: the server
// may use it once more.
func flagged(in *fuse.WriteIn) *fuse.WriteIn {
	with := *in
	switch {
	case in.WriteFlags&fuse.WRITE_CACHE != 0:
		with.Offset |= mapped
	case in.Flags&syscall.O_APPEND != 0:
		with.Offset = appends
	}
	return &with
}
