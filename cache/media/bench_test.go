package media

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/state"
)

// BenchmarkCopy measures the local cost of one small file, from its creation to its last
// release, without the service.
func BenchmarkCopy(b *testing.B) { benchmarkCopy(b, "f%d") }

// BenchmarkScratchCopy is the same for a local file.
func BenchmarkScratchCopy(b *testing.B) { benchmarkCopy(b, ".f%d") }

func benchmarkCopy(b *testing.B, name string) {
	f := makeFixture(b, b.TempDir())
	b.Cleanup(f.close)
	require.NoError(b, f.store.Refresh(ctx))
	content := make([]byte, 10<<10)
	for i := 0; b.Loop(); i++ {
		_, h, err := f.store.Create(Root, fmt.Sprintf(name, i), New{Mode: 0o644})
		require.NoError(b, err)
		_, err = h.WriteAt(content, 0)
		require.NoError(b, err)
		require.NoError(b, h.Flush(ctx))
		h.Release()
	}
}

// BenchmarkRemoveScratch measures removing a local file.
func BenchmarkRemoveScratch(b *testing.B) {
	f := makeFixture(b, b.TempDir())
	b.Cleanup(f.close)
	for i := range b.N {
		_, h, err := f.store.Create(Root, fmt.Sprintf(".f%d", i), New{Mode: 0o644})
		require.NoError(b, err)
		_, err = h.WriteAt([]byte("x"), 0)
		require.NoError(b, err)
		h.Release()
	}
	b.ResetTimer()
	for i := range b.N {
		require.NoError(b, f.store.Unlink(ctx, Root, fmt.Sprintf(".f%d", i)))
	}
}

// BenchmarkSendScratch measures the local cost of publishing one small file by renaming it to
// a visible name, as rsync does, without the service.
func BenchmarkSendScratch(b *testing.B) {
	f := makeFixture(b, b.TempDir())
	b.Cleanup(f.close)
	require.NoError(b, f.store.Refresh(ctx))
	content := make([]byte, 10<<10)
	for i := 0; b.Loop(); i++ {
		_, h, err := f.store.Create(Root, ".f", New{Mode: 0o644})
		require.NoError(b, err)
		require.NoError(b, f.finish(h, string(content)))
		require.NoError(b, f.rename(Root, ".f", Root, fmt.Sprintf("f%d", i)))
	}
}

// filled returns a store with n files of the service in directories of 100.
func filled(b *testing.B, n int) *fixture {
	dir, err := os.MkdirTemp(memory(), "media-bench-")
	require.NoError(b, err)
	b.Cleanup(func() { os.RemoveAll(dir) })
	f := makeFixture(b, dir)
	b.Cleanup(f.close)
	for i := range n / 100 {
		id, err := f.service.CreateDirectory(ctx, 0, fmt.Sprintf("d%d", i))
		require.NoError(b, err)
		for j := range 100 {
			f.service.next++
			f.service.files[f.service.next] = &fakeFile{parent: id, name: fmt.Sprintf("f%d.jpg", j)}
		}
	}
	require.NoError(b, f.store.Refresh(ctx))
	return f
}

func BenchmarkLookup(b *testing.B) {
	f := filled(b, 10_000)
	dir := f.lookup(Root, "d50").Ino
	b.ReportAllocs()
	for b.Loop() {
		_, err := f.store.Lookup(ctx, dir, "f50.jpg")
		require.NoError(b, err)
	}
}

func BenchmarkList(b *testing.B) {
	f := filled(b, 10_000)
	dir := f.lookup(Root, "d50").Ino
	b.ReportAllocs()
	for b.Loop() {
		_, err := f.store.List(ctx, dir)
		require.NoError(b, err)
	}
}

// BenchmarkReconcile reconciles an unchanged tree of 10,000 files.
func BenchmarkReconcile(b *testing.B) {
	f := filled(b, 10_000)
	tree, _, err := f.service.GetTreeIfChanged(ctx, "")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		f.store.Mu.Lock()
		f.store.ReconcileLocked(tree, f.store.Serial)
		f.store.Mu.Unlock()
	}
}

// BenchmarkAppendToQueued appends a byte to a large queued file: its content is copied, and
// synced at the close.
func BenchmarkAppendToQueued(b *testing.B) {
	f := makeFixture(b, b.TempDir(), writingBack)
	b.Cleanup(f.close)
	require.NoError(b, f.store.Refresh(ctx))
	f.service.goAway(unreachable)
	a, h, err := f.store.Create(Root, "a", New{Mode: 0o644})
	require.NoError(b, err)
	piece := make([]byte, 1<<20)
	for i := range int64(256) {
		_, err = h.WriteAt(piece, i<<20)
		require.NoError(b, err)
	}
	require.NoError(b, h.Flush(ctx))
	h.Release()
	b.SetBytes(256 << 20)
	for b.Loop() {
		h, err := f.store.Open(a.Ino, true)
		require.NoError(b, err)
		_, err = h.Append([]byte("x"))
		require.NoError(b, err)
		b.StopTimer() // the close syncs at the disk's speed
		require.NoError(b, h.Flush(ctx))
		h.Release()
		b.StartTimer()
	}
}

// countedState counts transactions.
type countedState struct {
	journal.State
	n atomic.Int64
}

func (w *countedState) Unsynced(changes ...state.Statement) error {
	w.n.Add(1)
	return w.State.Unsynced(changes...)
}

// BenchmarkSendQueued measures the local cost of uploading one small queued file, without the
// service, and the number of transactions.
func BenchmarkSendQueued(b *testing.B) {
	for _, transfers := range []int{1, 4} {
		b.Run(fmt.Sprint(transfers), func(b *testing.B) {
			f := makeFixture(b, b.TempDir(), writingBack, func(o *Options) { o.Transfers = transfers; o.Paused = true })
			w := &countedState{State: f.state}
			require.NoError(b, f.store.Close())
			f.options.State = w
			var err error
			f.store, err = Open(f.options)
			require.NoError(b, err)
			require.NoError(b, f.store.Refresh(ctx))
			content := make([]byte, 10<<10)
			for i := range b.N {
				_, h, err := f.store.Create(Root, fmt.Sprintf("f%d", i), New{Mode: 0o644})
				require.NoError(b, err)
				_, err = h.WriteAt(content, 0)
				require.NoError(b, err)
				require.NoError(b, h.Flush(ctx))
				h.Release()
			}
			before := w.n.Load()
			b.ResetTimer()
			f.store.Start()
			require.NoError(b, f.store.Drain(ctx))
			b.StopTimer()
			b.ReportMetric(float64(w.n.Load()-before)/float64(b.N), "transactions/op")
			f.close()
		})
	}
}
