package virtual

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Listing is the handle of an opened directory: the names as they were when it
// was opened. Directories in it become inodes at once; of files only names
// and types are told, so that a walk over many papers leaves no inode for
// each of their files behind.
//
// The listings of packages media and papers are others: they take their entries when
// reading begins, since the kernel keeps them, and go on at a place that other changes
// leave alone, with an inode for each entry.
type Listing struct {
	dir     *gofs.Inode
	numbers Peeker
	entries []Entry
	version uint32 // differs from that of other listings, unless the names never change
	next    int
	entry   fuse.DirEntry // the last one given
}

// A position is how many names were read, below the listing's version: the
// kernel never joins what it kept of one listing to what it reads of another.
const (
	versionShift = 32
	placeMask    = 1<<versionShift - 1
	signBit      = 1 << 63
)

// Peeker tells the number of a generated name.
type Peeker interface {
	Peek(parent uint64, child string) uint64
}

var (
	_ gofs.FileReaddirenter = (*Listing)(nil)
	_ gofs.FileSeekdirer    = (*Listing)(nil)
	_ gofs.FileLookuper     = (*Listing)(nil)
)

// NewListing returns a handle over entries of dir.
func NewListing(dir *gofs.Inode, numbers Peeker, entries []Entry) *Listing {
	return &Listing{dir: dir, numbers: numbers, entries: entries}
}

func (l *Listing) Readdirent(context.Context) (*fuse.DirEntry, syscall.Errno) {
	if l.next >= len(l.entries) {
		return nil, 0
	}
	e := l.entries[l.next]
	l.next++
	if e.Ino == 0 {
		e.Ino = l.numbers.Peek(l.dir.StableAttr().Ino, e.Name)
	}
	l.entry = fuse.DirEntry{Name: e.Name, Mode: e.Mode, Ino: e.Ino, Off: uint64(l.version)<<versionShift&^signBit | uint64(l.next)}
	return &l.entry, 0
}

// Seekdir goes on after as many names as the position says, also where it is of
// an older listing, which has waited for too long.
func (l *Listing) Seekdir(_ context.Context, off uint64) syscall.Errno {
	l.next = min(int(off&placeMask), len(l.entries))
	return 0
}

// Lookup refuses files; go-fuse then lists the name alone.
func (l *Listing) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	// go-fuse looks each name up right after Readdirent returned it.
	if l.next == 0 || l.entries[l.next-1].Name != name || l.entries[l.next-1].Mode&syscall.S_IFMT != syscall.S_IFDIR {
		return nil, syscall.ENOENT
	}
	return l.dir.Operations().(gofs.NodeLookuper).Lookup(ctx, name, out)
}
