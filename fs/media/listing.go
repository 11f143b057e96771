package media

import (
	"cmp"
	"context"
	"slices"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/inode"
)

// listing is the handle of an opened directory: its entries with attributes. It
// lists . and .. too: a listing without any entry would stay in the kernel's
// cache when it is told to drop it.
//
// The kernel keeps what is read here until it is told that the directory
// changed, or changes it itself. So the entries are taken when reading begins,
// not at open: what was read of older ones has reached the kernel before that
// notification (see dirNode.drop), and is dropped by it. And the positions of
// two versions differ, so that the kernel never joins what it kept of one to
// what it reads of the other.
type listing struct {
	dir  *dirNode
	list media.Listing // of when reading began
	read bool          // list is there
	next int           // of list.Entries, behind self and above
	ent  fuse.DirEntry // what Readdirent gave last: it is copied before the next
}

var (
	_ gofs.FileReaddirenter = (*listing)(nil)
	_ gofs.FileSeekdirer    = (*listing)(nil)
	_ gofs.FileLookuper     = (*listing)(nil)
)

// A position is the place of the entry that was read last, below a bit that
// tells that no other follows it, and some bits of the directory's version.
const (
	placeMask    = 1<<media.PlaceBits - 1
	lastEntry    = 1 << media.PlaceBits
	versionShift = media.PlaceBits + 1
	signBit      = 1 << 63

	self  = 1 // places of . and .., before those of all names
	above = 2
)

// begin takes the entries as they are now.
func (l *listing) begin(ctx context.Context) syscall.Errno {
	list, err := l.dir.tree.store.List(ctx, l.dir.ino)
	if err != nil && !media.Is(err, media.NotFound) { // who stands in a directory that is gone finds it empty
		return l.dir.failed("list", "", err)
	}
	l.list, l.read, l.next = list, true, -2
	return 0
}

// position is that of the entry that is next.
func (l *listing) position(place uint64) uint64 {
	if l.next == len(l.list.Entries)-1 {
		place |= lastEntry
	}
	return uint64(l.list.Version)<<versionShift&^signBit | place
}

func (l *listing) Readdirent(ctx context.Context) (*fuse.DirEntry, syscall.Errno) {
	if !l.read {
		if errno := l.begin(ctx); errno != 0 {
			return nil, errno
		}
	}
	if l.next >= len(l.list.Entries) {
		return nil, 0
	}
	e := &l.ent
	switch l.next {
	case -2:
		*e = fuse.DirEntry{Name: ".", Ino: l.dir.StableAttr().Ino, Mode: syscall.S_IFDIR, Off: l.position(self)}
	case -1:
		*e = fuse.DirEntry{Name: "..", Ino: inode.Root, Mode: syscall.S_IFDIR, Off: l.position(above)}
		if _, parent := l.dir.Parent(); parent != nil {
			e.Ino = parent.StableAttr().Ino
		}
	default:
		entry := &l.list.Entries[l.next]
		*e = fuse.DirEntry{Name: entry.Name, Ino: inode.Media(uint64(entry.Ino)), Mode: fileType(entry.Kind), Off: l.position(entry.Place)}
	}
	l.next++
	return e, 0
}

// Seekdir goes on after a position; the beginning is read again. A position of
// another version comes from what the kernel kept, and has since dropped:
// where that was all, nothing of this version is added to it.
func (l *listing) Seekdir(ctx context.Context, off uint64) syscall.Errno {
	switch {
	case off == 0:
		l.read = false
		return 0
	case off&lastEntry != 0:
		l.read, l.next = true, len(l.list.Entries)
		return 0
	case !l.read || uint64(l.list.Version)<<versionShift&^signBit != off&^placeMask:
		if errno := l.begin(ctx); errno != 0 {
			return errno
		}
	}
	switch place := off & placeMask; place {
	case self:
		l.next = -1
	case above:
		l.next = 0
	default:
		l.next, _ = slices.BinarySearchFunc(l.list.Entries, place+1, func(e media.Entry, place uint64) int { return cmp.Compare(e.Place, place) })
	}
	return 0
}

// Lookup makes the inode of an entry that Readdirent has given, the last one but
// where the kernel goes back by some, unless its name leads elsewhere by now:
// then the name is listed alone.
func (l *listing) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	i := l.next - 1
	for i >= 0 && l.list.Entries[i].Name != name {
		i--
	}
	if i < 0 {
		return nil, syscall.ENOENT
	}
	t := l.dir.tree
	a, err := t.store.Listed(l.dir.ino, &l.list.Entries[i])
	if err != nil {
		return nil, syscall.ENOENT
	}
	return t.known(ctx, &l.dir.Inode, a, out), 0
}
