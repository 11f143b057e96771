package papers

import (
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"

	"paperfs/cache/catalogue"
	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// bigService serves one catalogue and nothing else.
type bigService struct {
	catalogue.Service
	categories, papers int
}

func (s bigService) GetPaperIDFromUrl(context.Context, string) (int64, bool, error) {
	return 1, true, nil
}

func (s bigService) GetAllPapersIfChanged(_ context.Context, _ int64, _ remote.Validator, visit func(remote.Node) error) (remote.Validator, error) {
	if err := visit(remote.Node{ID: 1, Kind: remote.CategoryNode, Name: "root", URL: "/"}); err != nil {
		return "", err
	}
	for c := range s.categories {
		category := int64(2 + c*(s.papers+1))
		url := fmt.Sprintf("/c%04d/", c)
		if err := visit(remote.Node{ID: category, Parent: 1, Kind: remote.CategoryNode, Name: fmt.Sprintf("Category %04d", c), URL: url}); err != nil {
			return "", err
		}
		for p := range s.papers {
			err := visit(remote.Node{ID: category + 1 + int64(p), Parent: category, Kind: remote.PaperNode,
				Name: fmt.Sprintf("Paper %03d", p), URL: fmt.Sprintf("%sp%03d/", url, p)})
			if err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// newBigTree returns a tree of 1,000 categories with 100 papers each, without a kernel: the
// benchmark makes the requests.
func newBigTree(b testing.TB) fuse.RawFileSystem {
	c, err := catalogue.New(catalogue.Options{Service: bigService{categories: 1000, papers: 100}})
	require.NoError(b, err)
	b.Cleanup(c.Close)
	require.NoError(b, c.Connect(b.Context()))
	_, err = c.Snapshot(b.Context())
	require.NoError(b, err)
	home := b.TempDir()
	st, err := state.Open(state.Dirs{State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}, home)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, st.Close()) })
	store, err := media.Open(media.Options{Service: struct{ media.Service }{}, State: st, Reserve: -1})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	now := time.Now()
	env := &virtual.Env{Tell: &errno.Teller{Log: failure.New(nil, nil)}, Numbers: inode.NewVirtual()}
	tree := NewTree(Options{Env: env, Catalogue: c, Started: func() time.Time { return now }})
	tree.Media = store // it has no PDF
	root, _ := tree.Root()
	return gofs.NewNodeFS(root, &gofs.Options{})
}

func BenchmarkLookup(b *testing.B) {
	raw := newBigTree(b)
	var category, out fuse.EntryOut
	root := &fuse.InHeader{NodeId: 1}
	require.Equal(b, fuse.OK, raw.Lookup(nil, root, "Category 0500", &category))
	header := &fuse.InHeader{NodeId: category.NodeId}
	b.ReportAllocs()
	for b.Loop() {
		if status := raw.Lookup(nil, header, "Paper 050.paper", &out); !status.Ok() {
			b.Fatal(status)
		}
	}
}

func BenchmarkLookupMiss(b *testing.B) {
	raw := newBigTree(b)
	var out fuse.EntryOut
	header := &fuse.InHeader{NodeId: 1}
	b.ReportAllocs()
	for b.Loop() {
		if status := raw.Lookup(nil, header, ".git", &out); status != fuse.ENOENT {
			b.Fatal(status)
		}
	}
}

// BenchmarkReaddir lists a directory of 1,000 categories with attributes.
func BenchmarkReaddir(b *testing.B) {
	raw := newBigTree(b)
	buffer := make([]byte, 1<<20)
	b.ReportAllocs()
	for b.Loop() {
		var open fuse.OpenOut
		if status := raw.OpenDir(nil, &fuse.OpenIn{InHeader: fuse.InHeader{NodeId: 1}}, &open); !status.Ok() {
			b.Fatal(status)
		}
		in := &fuse.ReadIn{InHeader: fuse.InHeader{NodeId: 1}, Fh: open.Fh, Size: uint32(len(buffer))}
		if status := raw.ReadDirPlus(nil, in, fuse.NewDirEntryList(buffer, 0)); !status.Ok() {
			b.Fatal(status)
		}
		raw.ReleaseDir(&fuse.ReleaseIn{InHeader: fuse.InHeader{NodeId: 1}, Fh: open.Fh})
	}
}

// BenchmarkWalk lists every category with attributes, as find -prune does with nothing
// cached, and reports the time and memory of a listed paper.
func BenchmarkWalk(b *testing.B) {
	var before, after runtime.MemStats
	names := 0
	for b.Loop() {
		b.StopTimer()
		raw := newBigTree(b)
		runtime.GC()
		runtime.ReadMemStats(&before)
		b.StartTimer()
		names = walk(b, raw, 1, make([]byte, 1<<17), make([]byte, 1<<17))
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(raw)
		b.StartTimer()
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(names), "B/name")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*names), "ns/name")
}

// walk lists a directory and, if there is a buffer for the next level, its subdirectories,
// and returns the number of names.
func walk(b *testing.B, raw fuse.RawFileSystem, directory uint64, buffers ...[]byte) (names int) {
	var open fuse.OpenOut
	header := fuse.InHeader{NodeId: directory}
	require.Equal(b, fuse.OK, raw.OpenDir(nil, &fuse.OpenIn{InHeader: header}, &open))
	buffer := buffers[0]
	in := &fuse.ReadIn{InHeader: header, Fh: open.Fh}
	for {
		list := fuse.NewDirEntryList(buffer, in.Offset)
		require.Equal(b, fuse.OK, raw.ReadDirPlus(nil, in, list))
		if list.Offset == in.Offset {
			raw.ReleaseDir(&fuse.ReleaseIn{InHeader: header, Fh: open.Fh})
			return names
		}
		for _, node := range nodesIn(buffer) {
			names++
			if len(buffers) > 1 {
				names += walk(b, raw, node, buffers[1:]...)
			}
		}
		clear(buffer)
		in.Offset = list.Offset
	}
}

// nodesIn returns the node ids in a sequence of struct fuse_direntplus: each a
// fuse_entry_out (128 bytes, node id first), a fuse_dirent (ino, off, namelen, type; 24
// bytes) and the name, padded to 8 bytes.
func nodesIn(buffer []byte) (nodes []uint64) {
	for at := 0; at+152 < len(buffer); {
		length := int(binary.LittleEndian.Uint32(buffer[at+144:]))
		if length == 0 {
			break
		}
		if node := binary.LittleEndian.Uint64(buffer[at:]); node != 0 { // not . and ..
			nodes = append(nodes, node)
		}
		at += (152 + length + 7) &^ 7
	}
	return nodes
}

// BenchmarkNames names a directory of 1,000 papers.
func BenchmarkNames(b *testing.B) {
	nodes := make([]remote.Node, 1000)
	for i := range nodes {
		nodes[i] = remote.Node{ID: int64(i + 1), Kind: remote.PaperNode, Name: fmt.Sprintf("Paper %d/%d", i, i%7)}
	}
	b.ReportAllocs()
	for b.Loop() {
		names.Show(nodes)
	}
}
