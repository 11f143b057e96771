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

// dirEntries are the entries of a directory of media/, each with an inode.
type dirEntries struct {
	dir  *dirNode
	list media.Listing
	next int // index into list.Entries
}

var (
	_ inode.Entries     = (*dirEntries)(nil)
	_ gofs.FileLookuper = (*dirEntries)(nil)
)

// list returns the handle of an opened directory. See also dirNode.dropCached.
func (d *dirNode) list() *inode.Listing {
	return inode.NewListing(&d.Inode, func(ctx context.Context, _ func(uint64) bool) (inode.Entries, syscall.Errno) {
		list, err := d.tree.store.List(ctx, d.ino)
		if err != nil && !media.Is(err, media.NotFound) { // a removed directory that a program still has open is empty
			return nil, d.failed("list", "", err)
		}
		return &dirEntries{dir: d, list: list}, 0
	})
}

func (l *dirEntries) Version() uint64 { return uint64(l.list.Version) }

func (l *dirEntries) Ended() bool { return l.next == len(l.list.Entries) }

func (l *dirEntries) Next(e *fuse.DirEntry) bool {
	if l.Ended() {
		return false
	}
	entry := &l.list.Entries[l.next]
	*e = fuse.DirEntry{Name: entry.Name, Ino: inode.Media(uint64(entry.Ino)), Mode: fileType(entry.Kind), Off: entry.Offset}
	l.next++
	return true
}

func (l *dirEntries) Seek(place uint64) {
	l.next, _ = slices.BinarySearchFunc(l.list.Entries, place+1, func(e media.Entry, place uint64) int { return cmp.Compare(e.Offset, place) })
}

// Lookup fails if the name leads elsewhere by now.
func (l *dirEntries) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
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
