package caller

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWatchersShareADescriptor checks that all that watch a process share one pidfd, which the last
// of them closes.
func TestWatchersShareADescriptor(t *testing.T) {
	c, first, _ := sleeper(t, os.O_WRONLY)
	second := Watch(first.ID)
	require.Same(t, first, second)
	second.Close()
	require.False(t, first.Ended(), "it is still open")
	require.NoError(t, c.Process.Kill())
	require.Eventually(t, first.Ended, time.Minute, time.Millisecond)
	third := Watch(first.ID)
	require.NotNil(t, third, "a zombie")
	require.NotSame(t, first, third, "another process may have its number by now")
	require.True(t, third.Ended())
	third.Close()
	require.True(t, first.Ended(), "it is still open")
}
