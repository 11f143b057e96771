package generated

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/errno"
)

func TestWalkersAreRefusedWhatIsNotCached(t *testing.T) {
	var w walkers
	now := time.Unix(1e9, 0)
	refused := func(process uint32, paper int64, recorded bool) {
		t.Helper()
		err := w.refuse(process, paper, false, now)
		require.Equal(t, syscall.EBUSY, errno.Of(err))
		require.Equal(t, recorded, !err.(*errno.Refusal).Again)
	}
	for paper := range int64(walkerPapers) {
		require.NoError(t, w.refuse(1, paper, false, now))
		require.NoError(t, w.refuse(1, paper, false, now), "the same paper again")
	}
	require.NoError(t, w.refuse(1, 99, true, now), "cached")
	for paper := int64(100); paper < 200; paper++ {
		refused(1, paper, paper == 100)
	}
	require.NoError(t, w.refuse(2, 3, false, now), "another process")
	require.LessOrEqual(t, len(w.recent[1].listed), walkerPapers+1)

	now = now.Add(walkerTime - 1)
	refused(1, 7, false)
	now = now.Add(1)
	require.NoError(t, w.refuse(1, 8, false, now))
	now = now.Add(walkerTime)
	require.NoError(t, w.refuse(3, 1, false, now))
	require.Len(t, w.recent, 1, "a process that stopped listing is forgotten")
}
