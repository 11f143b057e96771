package inode

import (
	"math"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// WriteRequest says what a WRITE does.
type WriteRequest struct {
	// Mapped: the kernel writes back pages that a program changed through a mapping. It
	// does so at any time, and does not say for which program.
	Mapped bool
	// Append: the content goes to the end of the file, wherever that is. Pages of a mapping
	// never do, whatever the flags of their descriptor.
	Append bool
	// Offset in bytes; not set if Append is.
	Offset int64
}

// appends replaces an offset, and mapped is a bit added to one. The kernel sends no offset
// below 0, and none at or past the longest possible file.
const (
	appends = math.MaxUint64
	mapped  = 1 << 63
)

// WriteAt decodes the offset that a node's Write gets below Writes.
func WriteAt(off int64) WriteRequest {
	switch {
	case off == -1:
		return WriteRequest{Append: true}
	case off < 0:
		return WriteRequest{Mapped: true, Offset: off & math.MaxInt64}
	}
	return WriteRequest{Offset: off}
}

// Writes encodes the flags of each WRITE in the offset that the wrapped nodes get.
type Writes struct{ fuse.RawFileSystem }

func (w Writes) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	return w.RawFileSystem.Write(cancel, flagged(in), data)
}

func (w Writes) Writev(cancel <-chan struct{}, in *fuse.WriteIn, data [][]byte) (uint32, fuse.Status) {
	return w.RawFileSystem.Writev(cancel, flagged(in), data)
}

// flagged returns a copy of in with the offset that WriteAt decodes. It must not change in,
// which the server may use again.
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
