package media_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/inode"
	mediafs "paperfs/fs/media"
	"paperfs/remote"
)

// bigService has one media tree and answers nothing else.
type bigService struct {
	media.Service
	dirs, files int
}

func (s bigService) GetTreeIfChanged(context.Context, remote.Validator) (remote.MediaTree, remote.Validator, error) {
	var tree remote.MediaTree
	for d := range int64(s.dirs) {
		tree.Dirs = append(tree.Dirs, remote.MediaDir{ID: d + 1, Name: fmt.Sprintf("dir-%04d", d)})
		for range s.files {
			id := int64(len(tree.Files) + 1)
			tree.Files = append(tree.Files, remote.MediaFile{ID: id, Parent: d + 1, Name: fmt.Sprintf("file-%06d.bin", id), SizeKB: 12, Bytes: 12_000,
				SHA256: fmt.Sprintf("%064x", id), URL: fmt.Sprintf("http://127.0.0.1:8080/media/%d/file-%06d.bin", id, id)})
		}
	}
	return tree, "", nil
}

// bigStore has 100,000 files in 1,000 directories.
func bigStore(b *testing.B) *media.Store {
	home := b.TempDir()
	st, err := state.Open(state.Dirs{State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}, home)
	require.NoError(b, err)
	store, err := media.Open(media.Options{Service: bigService{dirs: 1000, files: 100}, State: st, Reserve: -1})
	require.NoError(b, err)
	b.Cleanup(func() {
		require.NoError(b, store.Close())
		require.NoError(b, st.Close())
	})
	return store
}

// nodes returns the file system of a store without a kernel: the benchmark makes the requests.
func nodes(store *media.Store) fuse.RawFileSystem {
	root := mediafs.NewRoot(store, &errno.Teller{Log: failure.New(nil, nil)}, inode.Owner{UID: uint32(os.Getuid())}, flush.NewJudge(""))
	return gofs.NewNodeFS(root, &gofs.Options{})
}

// list reads one directory with attributes and returns the nodes of its entries.
func list(b *testing.B, raw fuse.RawFileSystem, node uint64, buffer []byte) (nodes []uint64) {
	var open fuse.OpenOut
	require.Equal(b, fuse.OK, raw.OpenDir(nil, &fuse.OpenIn{InHeader: fuse.InHeader{NodeId: node}}, &open))
	defer raw.ReleaseDir(&fuse.ReleaseIn{InHeader: fuse.InHeader{NodeId: node}, Fh: open.Fh})
	in := &fuse.ReadIn{InHeader: fuse.InHeader{NodeId: node}, Fh: open.Fh, Size: uint32(len(buffer))}
	for {
		out := fuse.NewDirEntryList(buffer, in.Offset)
		require.Equal(b, fuse.OK, raw.ReadDirPlus(nil, in, out))
		if len(out.Bytes()) == 0 {
			return nodes
		}
		_, entries, err := fuse.ParseDirLookupEntries(out.Bytes())
		require.NoError(b, err)
		for _, e := range entries {
			if e.NodeId != 0 { // not . and ..
				nodes = append(nodes, e.NodeId)
			}
		}
		in.Offset = out.Offset
	}
}

// BenchmarkWalk lists every directory with attributes, as find does with an empty cache, and
// reports the cost of a file in time and in retained memory: known to the store, and then to the kernel.
func BenchmarkWalk(b *testing.B) {
	store := bigStore(b)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	empty := heap()
	require.NoError(b, store.Refresh(b.Context()))
	require.NoError(b, store.Sync())
	known := heap()
	var raw fuse.RawFileSystem
	buffer := make([]byte, 32<<10)
	names := 0
	for b.Loop() {
		b.StopTimer()
		raw, names = nodes(store), 0
		b.StartTimer()
		for _, dir := range list(b, raw, 1, buffer) {
			names += len(list(b, raw, dir, buffer))
		}
	}
	require.Equal(b, 100_000, names)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(names), "ns/file")
	b.ReportMetric(float64(known-empty)/float64(names), "B/file-known")
	b.ReportMetric(float64(heap()-known)/float64(names), "B/file-walked")
	runtime.KeepAlive(raw)
}

// BenchmarkFirstTree loads the first tree of a service and saves it.
func BenchmarkFirstTree(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		store := bigStore(b)
		b.StartTimer()
		require.NoError(b, store.Refresh(b.Context()))
		require.NoError(b, store.Sync())
	}
}
