package generated

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWalkersAreShownWhatIsKnown(t *testing.T) {
	var w walkers
	now := time.Unix(1e9, 0)
	for paper := range int64(walkerPapers) {
		require.True(t, w.mayAsk(1, paper, now))
		require.True(t, w.mayAsk(1, paper, now), "the same paper again")
	}
	for paper := int64(100); paper < 200; paper++ {
		require.False(t, w.mayAsk(1, paper, now))
	}
	require.True(t, w.mayAsk(2, 3, now), "another process")
	require.LessOrEqual(t, len(w.recent[1]), walkerPapers+1)

	now = now.Add(walkerTime - 1)
	require.False(t, w.mayAsk(1, 7, now))
	now = now.Add(1)
	require.True(t, w.mayAsk(1, 8, now))
	now = now.Add(walkerTime)
	w.mayAsk(3, 1, now)
	require.Len(t, w.recent, 1, "a process that stopped listing is forgotten")
}
