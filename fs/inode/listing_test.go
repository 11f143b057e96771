package inode

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

// list has n entries at the positions 10, 20 and so on.
type list struct {
	version uint64
	n, next int
	knows   bool // Ended reports the end before Next does
}

func (l *list) Version() uint64 { return l.version }
func (l *list) Ended() bool     { return l.knows && l.next == l.n }
func (l *list) Seek(p uint64)   { l.next = min(int(p/10), l.n) }
func (l *list) Next(e *fuse.DirEntry) bool {
	if l.next == l.n {
		return false
	}
	l.next++
	e.Name, e.Off = fmt.Sprintf("v%d-%d", l.version, l.next), uint64(10*l.next)
	return true
}

func (l *list) Lookup(context.Context, string, *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return nil, syscall.ENOENT
}

// directory counts the calls of take.
type directory struct {
	list
	taken int
}

func (d *directory) take(context.Context, func(uint64) bool) (Entries, syscall.Errno) {
	d.taken++
	l := d.list
	return &l, 0
}

// readAll returns the remaining names and their positions.
func readAll(t *testing.T, h *Listing) (names []string, at []uint64) {
	for {
		e, errno := h.Readdirent(t.Context())
		require.Zero(t, errno)
		if e == nil {
			return names, at
		}
		names, at = append(names, e.Name), append(at, e.Off)
	}
}

// TestPositions checks that, from each position, both the same handle and a new one read the rest.
func TestPositions(t *testing.T) {
	root := &gofs.Inode{}
	gofs.NewNodeFS(root, nil)
	for _, handle := range []func(*gofs.Inode, TakeEntries) *Listing{NewListing, NewBareListing} {
		for _, knows := range []bool{false, true} {
			for n := range 4 {
				d := &directory{list: list{version: 7, n: n, knows: knows}}
				h := handle(root, d.take)
				names, at := readAll(t, h)
				require.Equal(t, 1, d.taken)
				for i := range at {
					for _, by := range []*Listing{h, handle(root, d.take)} {
						require.Zero(t, by.Seekdir(t.Context(), at[i]))
						rest, _ := readAll(t, by)
						require.Equal(t, names[i+1:], append([]string{}, rest...), at[i])
					}
				}
				require.Zero(t, h.Seekdir(t.Context(), 0))
				again, _ := readAll(t, h)
				require.Equal(t, names, again)
			}
		}
	}
}

// TestVersions checks that two versions have no position in common, and that a handle at the end of
// an old version adds nothing of a newer one.
func TestVersions(t *testing.T) {
	root := &gofs.Inode{}
	gofs.NewNodeFS(root, nil)
	for n := range 3 {
		d := &directory{list: list{version: 1, n: n, knows: true}}
		_, old := readAll(t, NewListing(root, d.take))
		d.list = list{version: 2, n: 3, knows: true}
		_, now := readAll(t, NewListing(root, d.take))
		for _, position := range now {
			require.NotContains(t, old, position)
		}
		late := NewListing(root, d.take)
		before := d.taken
		require.Zero(t, late.Seekdir(t.Context(), old[len(old)-1]))
		rest, _ := readAll(t, late)
		require.Empty(t, rest)
		require.Equal(t, before, d.taken)
		require.Zero(t, late.Seekdir(t.Context(), old[0])) // a position inside the first version: the current entries follow
		rest, _ = readAll(t, late)
		require.Equal(t, []string{"..", "v2-1", "v2-2", "v2-3"}, rest)
	}
}
