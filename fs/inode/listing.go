package inode

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Entries are the entries of one version of a directory, in their order.
type Entries interface {
	// Version differs from that of other versions of the directory.
	Version() uint64
	// Next fills in name, type, inode number and, as the offset, the place of the next
	// entry: from 1 to MaxPlace. It returns false at the end.
	Next(*fuse.DirEntry) bool
	// Ended reports whether no entry follows. It may return false if it does not know.
	Ended() bool
	// Seek goes to the entry after a place; 0 is the place before all entries.
	Seek(place uint64)
	// Lookup returns the inode of an entry that Next returned: the last one, unless the
	// kernel went back. After an error, only the name is listed.
	Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno)
}

// TakeEntries returns the entries of the current version. If fits is not nil, reading continues in
// a version that fits accepts: TakeEntries prefers that version if it still has it.
type TakeEntries func(ctx context.Context, fits func(version uint64) bool) (Entries, syscall.Errno)

// Listing is the handle of an opened directory.
type Listing struct {
	dir     *gofs.Inode
	take    TakeEntries
	bare    bool // does not list . and ..
	entries Entries
	dots    int           // how many of . and .. were returned
	ended   bool          // another handle returned the last entry
	entry   fuse.DirEntry // the last entry returned: go-fuse copies it before it asks for the next
}

var (
	_ gofs.FileReaddirenter = (*Listing)(nil)
	_ gofs.FileSeekdirer    = (*Listing)(nil)
	_ gofs.FileLookuper     = (*Listing)(nil)
)

// NewListing returns a handle that also lists . and .. . An empty listing would stay in the
// kernel's cache after the notice that should drop it.
func NewListing(dir *gofs.Inode, take TakeEntries) *Listing { return &Listing{dir: dir, take: take} }

// NewBareListing returns a handle that does not list . and .. .
func NewBareListing(dir *gofs.Inode, take TakeEntries) *Listing {
	return &Listing{dir: dir, take: take, bare: true}
}

// A position consists of the place of the entry read last, a bit above it that says that
// no entry follows, and some bits of the version.
const (
	// MaxPlace is the highest place of an entry.
	MaxPlace = self - 1

	self  = placeMask - 1 // place of .
	above = placeMask     // place of ..

	placeBits  = 47
	placeMask  = 1<<placeBits - 1
	last       = 1 << placeBits
	generation = 1<<63 - last<<1 // the bits of the version
)

func generationOf(version uint64) uint64 { return version << (placeBits + 1) & generation }

func (h *Listing) begin(ctx context.Context, fits func(version uint64) bool) syscall.Errno {
	entries, errno := h.take(ctx, fits)
	if errno != 0 {
		return errno
	}
	h.entries, h.dots = entries, 0
	if h.bare {
		h.dots = 2
	}
	return 0
}

func (h *Listing) Readdirent(ctx context.Context) (*fuse.DirEntry, syscall.Errno) {
	if h.ended {
		return nil, 0
	}
	if h.entries == nil {
		if errno := h.begin(ctx, nil); errno != 0 {
			return nil, errno
		}
	}
	if !h.next() {
		return nil, 0
	}
	if h.dots == 2 && h.entries.Ended() {
		h.entry.Off |= last
	}
	h.entry.Off |= generationOf(h.entries.Version())
	return &h.entry, 0
}

func (h *Listing) next() bool {
	h.entry = fuse.DirEntry{Mode: syscall.S_IFDIR}
	switch h.dots {
	case 0:
		h.entry.Name, h.entry.Ino, h.entry.Off = ".", h.dir.StableAttr().Ino, self
	case 1:
		h.entry.Name, h.entry.Ino, h.entry.Off = "..", Root, above
		if _, parent := h.dir.Parent(); parent != nil {
			h.entry.Ino = parent.StableAttr().Ino
		}
	default:
		return h.entries.Next(&h.entry)
	}
	h.dots++
	return true
}

// Seekdir goes to the entry after a position; at the start it reads the directory again.
// If the version has changed, the kernel has dropped what it cached of the old one. If
// that was complete, the kernel adds nothing of the new version to it.
func (h *Listing) Seekdir(ctx context.Context, off uint64) syscall.Errno {
	h.ended = off&last != 0
	switch fits := func(version uint64) bool { return generationOf(version) == off&generation }; {
	case h.ended:
		return 0
	case off == 0:
		h.entries = nil
		return 0
	case h.entries == nil || !fits(h.entries.Version()):
		if errno := h.begin(ctx, fits); errno != 0 {
			return errno
		}
	}
	h.dots = 2
	switch place := off & placeMask; place {
	case self:
		h.dots = 1
		h.entries.Seek(0)
	case above:
		h.entries.Seek(0)
	default:
		h.entries.Seek(place)
	}
	return 0
}

func (h *Listing) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return h.entries.Lookup(ctx, name, out)
}
