package s3store

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// long writes content of this many blocks, and returns its key.
func long(t testing.TB, c store.Contents, block []byte, blocks int) string {
	t.Helper()
	d := testrun.Must(c.Create(context.Background()))(t)
	defer d.Discard()
	for range blocks {
		testrun.Must(d.Write(block))(t)
	}
	return testrun.Must(d.Commit())(t)
}

func readLong(t testing.TB, c store.Contents, key string, size int64) {
	t.Helper()
	r := testrun.Must(c.Open(context.Background(), key, 0, size))(t)
	defer r.Close()
	// Like an answer: for a file, sendfile would be used.
	n := testrun.Must(io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r}, make([]byte, 32<<10)))(t)
	require.Equal(t, size, n)
}

// peak resets the peak memory of this process, and returns a function for the peak since, in MiB.
func peak(t testing.TB) func() float64 {
	require.NoError(t, os.WriteFile("/proc/self/clear_refs", []byte("5"), 0))
	return func() float64 {
		_, after, _ := strings.Cut(string(testrun.Must(os.ReadFile("/proc/self/status"))(t)), "VmHWM:")
		kib := testrun.Must(strconv.Atoi(strings.Fields(after)[0]))(t)
		return float64(kib) / 1024
	}
}

// TestLongContentTakesTheMemoryOfTwoParts checks the peak memory of an upload in a process that
// uses other memory too.
func TestLongContentTakesTheMemoryOfTwoParts(t *testing.T) {
	s := at(t, enginetest.SharedObjectStore(t).Address(t), records(t))
	block := storetest.Bytes(1, mib)
	long(t, s, block, 17)
	before := peak(t)()
	most := peak(t)
	readLong(t, s, long(t, s, block, 200), 200*mib)
	require.Less(t, most()-before, 64.0, "MiB more than before")
}

// BenchmarkLong compares an object store with files, using content of 1 GiB.
func BenchmarkLong(b *testing.B) {
	const blocks = 1024
	block := storetest.Bytes(1, mib)
	for _, engine := range []string{"files", "objects"} {
		var c store.Contents
		if engine == "files" {
			files := testrun.Must(filestore.Open(filepath.Join(b.TempDir(), "content")))(b)
			c = files
		} else {
			c = at(b, enginetest.SharedObjectStore(b).Address(b), records(b))
		}
		b.Run(engine, func(b *testing.B) {
			var up, down time.Duration
			most := peak(b)
			for b.Loop() {
				began := time.Now()
				key := long(b, c, block, blocks)
				up += time.Since(began)
				began = time.Now()
				readLong(b, c, key, blocks*mib)
				down += time.Since(began)
			}
			b.ReportMetric(float64(blocks*b.N)/up.Seconds(), "MiB/s-up")
			b.ReportMetric(float64(blocks*b.N)/down.Seconds(), "MiB/s-down")
			b.ReportMetric(most(), "MiB-peak")
		})
	}
}
