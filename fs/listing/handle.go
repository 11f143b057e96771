// Package listing is the handle of an opened directory: it reads the entries of
// one version of a directory, from any position that the kernel names.
//
// The kernel keeps what it reads until it is told that the directory changed. So
// a [Handle] takes the entries when reading begins, not at open: entries of an older
// version have reached the kernel before that notification, which drops them. And
// the positions of two versions differ, so the kernel never joins entries that it
// kept of one version to those that it reads of another.
//
// There are no locks: go-fuse makes one call of a handle at a time.
package listing

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/inode"
)

// Entries are the entries of one version of a directory, in their order.
type Entries interface {
	// Version differs from that of other versions of the directory.
	Version() uint64
	// Next fills in name, type, inode number and, as offset, the place of the next
	// entry: at most MaxPlace, and not 0. It returns false at the end.
	Next(*fuse.DirEntry) bool
	// Ended reports whether no entry follows. False may also mean that this is not
	// known.
	Ended() bool
	// Seek goes to the entry after a place; 0 is the place before all entries.
	Seek(place uint64)
	// Lookup makes the inode of an entry that Next returned: the last one, unless
	// the kernel goes back by some. After an error the name alone is listed.
	Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno)
}

// Take returns the entries of the present version. If fits is not nil, reading
// continues in a version that fits accepts: Take prefers that one, if it still
// has it.
type Take func(ctx context.Context, fits func(version uint64) bool) (Entries, syscall.Errno)

// Handle is the handle of an opened directory.
type Handle struct {
	dir     *gofs.Inode
	take    Take
	bare    bool // . and .. are not listed
	entries Entries
	dots    int           // how many of . and .. were returned
	ended   bool          // the last entry was returned by another handle
	entry   fuse.DirEntry // the last one that was returned: go-fuse copies it before the next
}

var (
	_ gofs.FileReaddirenter = (*Handle)(nil)
	_ gofs.FileSeekdirer    = (*Handle)(nil)
	_ gofs.FileLookuper     = (*Handle)(nil)
)

// New returns a handle that lists . and .., too. Without any entry, a listing
// would stay in the kernel's cache when the kernel is told to drop it.
func New(dir *gofs.Inode, take Take) *Handle { return &Handle{dir: dir, take: take} }

// NewBare returns a handle that does not list . and .. .
func NewBare(dir *gofs.Inode, take Take) *Handle {
	return &Handle{dir: dir, take: take, bare: true}
}

// A position is the place of the entry that was read last, below a bit that says
// that no other follows it, and some bits of the version.
const (
	// MaxPlace is the last place that an entry may have.
	MaxPlace = self - 1

	self  = placeMask - 1 // place of .
	above = placeMask     // place of ..

	placeBits  = 47
	placeMask  = 1<<placeBits - 1
	last       = 1 << placeBits
	generation = 1<<63 - last<<1 // the bits of the version
)

func generationOf(version uint64) uint64 { return version << (placeBits + 1) & generation }

func (h *Handle) begin(ctx context.Context, fits func(version uint64) bool) syscall.Errno {
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

func (h *Handle) Readdirent(ctx context.Context) (*fuse.DirEntry, syscall.Errno) {
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

func (h *Handle) next() bool {
	h.entry = fuse.DirEntry{Mode: syscall.S_IFDIR}
	switch h.dots {
	case 0:
		h.entry.Name, h.entry.Ino, h.entry.Off = ".", h.dir.StableAttr().Ino, self
	case 1:
		h.entry.Name, h.entry.Ino, h.entry.Off = "..", inode.Root, above
		if _, parent := h.dir.Parent(); parent != nil {
			h.entry.Ino = parent.StableAttr().Ino
		}
	default:
		return h.entries.Next(&h.entry)
	}
	h.dots++
	return true
}

// Seekdir goes to the entry after a position; at the beginning it reads the
// directory again. The kernel has dropped what it kept of another version: if that
// was the whole version, nothing of this one is added to it.
func (h *Handle) Seekdir(ctx context.Context, off uint64) syscall.Errno {
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

func (h *Handle) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return h.entries.Lookup(ctx, name, out)
}
