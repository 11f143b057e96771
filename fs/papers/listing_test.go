package papers

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

// listed is one name of a struct fuse_direntplus row (see nodesIn).
type listed struct {
	name  string
	node  uint64
	inode uint64
	off   uint64
}

func readPlus(t *testing.T, raw fuse.RawFileSystem, in *fuse.ReadIn, size int) (entries []listed) {
	buffer := make([]byte, size)
	require.Equal(t, fuse.OK, raw.ReadDirPlus(nil, in, fuse.NewDirEntryList(buffer, in.Offset)))
	for at := 0; at+152 < len(buffer); {
		number := binary.LittleEndian.Uint64
		length := int(binary.LittleEndian.Uint32(buffer[at+144:]))
		if length == 0 {
			break
		}
		entries = append(entries, listed{string(buffer[at+152 : at+152+length]), number(buffer[at:]), number(buffer[at+40:]), number(buffer[at+136:])})
		at += (152 + length + 7) &^ 7
	}
	return entries
}

// TestListingFromAnyPosition checks that a reader that goes back in a directory, in whatever way and
// however far, gets the same entries again: each name with its own inode.
func TestListingFromAnyPosition(t *testing.T) {
	raw := newBigTree(t)
	header := fuse.InHeader{NodeId: 1}
	open := func() uint64 {
		var out fuse.OpenOut
		require.Equal(t, fuse.OK, raw.OpenDir(nil, &fuse.OpenIn{InHeader: header}, &out))
		return out.Fh
	}
	in := &fuse.ReadIn{InHeader: header, Fh: open()}
	var all []listed
	for {
		entries := readPlus(t, raw, in, 4096)
		if len(entries) == 0 {
			break
		}
		all = append(all, entries...)
		in.Offset = entries[len(entries)-1].off
	}
	require.Len(t, all, 1002)
	for i, e := range all[2:] {
		var out fuse.EntryOut
		require.Equal(t, fuse.OK, raw.Lookup(nil, &header, e.name, &out))
		require.Equal(t, out.NodeId, e.node)
		require.Equal(t, out.Ino, e.inode)
		require.NotZero(t, e.node, i)
	}
	fresh := &fuse.ReadIn{InHeader: header, Fh: open()}
	for _, from := range []int{980, 990, 985, 0, 1, 2, 500, 500, 1001, 3} {
		for _, in := range []*fuse.ReadIn{in, fresh} {
			in.Offset = all[from].off
			got := readPlus(t, raw, in, 4096)
			require.True(t, slices.Equal(all[from+1:][:len(got)], got), "after %q: %v", all[from].name, got)
			require.Equal(t, from == 1001, len(got) == 0)
		}
	}
}
