package s3store

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPartsAreNotOnTheHeap checks that parts use memory outside the heap, which would grow to twice
// their size and stay there.
func TestPartsAreNotOnTheHeap(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	place, err := ParsePlace("s3://localhost:1/bucket")
	require.NoError(t, err)
	s, err := New(place, nil)
	require.NoError(t, err)
	piece := make([]byte, 64<<10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 3 {
		d, err := s.Create(t.Context())
		require.NoError(t, err)
		for range partSize / len(piece) {
			_, err := d.Write(piece)
			require.NoError(t, err)
		}
		d.Discard()
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(3*4*large))
}
