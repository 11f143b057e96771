package s3store

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestPartsAreNotOnTheHeap checks that parts use memory outside the heap, which would grow to twice
// their size and stay there.
func TestPartsAreNotOnTheHeap(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	place := testrun.Must(ParsePlace("s3://localhost:1/bucket"))(t)
	s := testrun.Must(New(place, nil))(t)
	piece := make([]byte, 64<<10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 3 {
		d := testrun.Must(s.Create(t.Context()))(t)
		for range partSize / len(piece) {
			testrun.Must(d.Write(piece))(t)
		}
		d.Discard()
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(3*4*large))
}
