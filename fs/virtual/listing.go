package virtual

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/inode"
)

// nameEntries are the names of a generated directory when it was opened. Its directories
// become inodes at once. Files are listed by name and type only, so that a walk over many
// papers does not create an inode for each of their files.
type nameEntries struct {
	dir     *gofs.Inode
	numbers Peeker
	all     []Entry
	version uint64 // unique for each listing, or 0 if the names never change
	next    int
}

var (
	_ inode.Entries     = (*nameEntries)(nil)
	_ gofs.FileLookuper = (*nameEntries)(nil)
)

// Peeker returns the number of a generated name.
type Peeker interface {
	Peek(parent uint64, child string) uint64
}

// NewListing returns a handle over the entries of dir. version is 0 if they never
// change.
func NewListing(dir *gofs.Inode, numbers Peeker, all []Entry, version uint64) *inode.Listing {
	l := &nameEntries{dir: dir, numbers: numbers, all: all, version: version}
	return inode.NewBareListing(dir, func(context.Context, func(uint64) bool) (inode.Entries, syscall.Errno) {
		l.next = 0
		return l, 0
	})
}

func (l *nameEntries) Version() uint64 { return l.version }

func (l *nameEntries) Ended() bool { return l.next == len(l.all) }

// Next counts the places of entries from 1.
func (l *nameEntries) Next(to *fuse.DirEntry) bool {
	if l.Ended() {
		return false
	}
	e := l.all[l.next]
	l.next++
	if e.Ino == 0 {
		e.Ino = l.numbers.Peek(l.dir.StableAttr().Ino, e.Name)
	}
	*to = fuse.DirEntry{Name: e.Name, Mode: e.Mode, Ino: e.Ino, Off: uint64(l.next)}
	return true
}

// Seek skips as many names as the place says, even if the place is that of an older
// listing whose handle has timed out.
func (l *nameEntries) Seek(place uint64) { l.next = int(min(place, uint64(len(l.all)))) }

// Lookup refuses files; go-fuse then lists only the name.
func (l *nameEntries) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	// go-fuse looks each name up right after it read it.
	if l.next == 0 || l.all[l.next-1].Name != name || l.all[l.next-1].Mode&syscall.S_IFMT != syscall.S_IFDIR {
		return nil, syscall.ENOENT
	}
	return l.dir.Operations().(gofs.NodeLookuper).Lookup(ctx, name, out)
}
