package disk

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// cached is a cache on the same disk.
type cached struct{ size, free *int64 }

func (c cached) Size() int64 { return *c.size }

func (c cached) Evict(n int64) {
	n = min(n, *c.size)
	*c.size -= n
	*c.free += n
}

// TestNothingIsTakenBeyondTheQuotaOrTheReserve takes and gives room at random.
func TestNothingIsTakenBeyondTheQuotaOrTheReserve(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		free, size, taken := rapid.Int64Range(0, 200).Draw(t, "free"), rapid.Int64Range(0, 100).Draw(t, "cached"), int64(0)
		all := free + size
		r := &Room{Disk: Disk{Reserve: 50, Free: func(string) (int64, error) { return free, nil }}, Quota: 120, Caches: []Cache{cached{&size, &free}}}
		t.Repeat(map[string]func(*rapid.T){
			"take": func(t *rapid.T) {
				n := rapid.Int64Range(1, 80).Draw(t, "bytes")
				fits := taken+n <= 120 && n+50 <= free+size
				err := r.Take(n)
				require.Equal(t, fits, err == nil, "%v", err)
				if err != nil {
					require.ErrorAs(t, err, new(*FullError))
					return
				}
				taken += n
				free -= n
			},
			"give": func(t *rapid.T) {
				n := rapid.Int64Range(0, taken).Draw(t, "bytes")
				r.Give(n)
				taken -= n
				free += n
			},
			"": func(t *rapid.T) {
				require.Equal(t, taken, r.Used())
				require.Equal(t, all, free+size+taken)
			},
		})
	})
}

// TestNoSyncFollowsOneThatFailed checks that all are told of the first failure, because the kernel
// would say that the next sync succeeds.
func TestNoSyncFollowsOneThatFailed(t *testing.T) {
	t.Parallel()
	var s Soundness
	failed := errors.New("the disk failed")
	require.NoError(t, s.Sync(func() error { return nil }))
	require.ErrorIs(t, s.Sync(func() error { return failed }), failed)
	require.ErrorIs(t, s.Sync(func() error { t.Error("another sync"); return nil }), failed)
	require.ErrorIs(t, s.Failure(), failed)
}
