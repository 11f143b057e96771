package servicetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestMarksHoldOverNodes asks one of two nodes with a mark of the other, which makes the change.
func TestMarksHoldOverNodes(t *testing.T) {
	t.Parallel()
	f := StartNodes(t)
	c, other := client(t, f.Nodes[0], f), client(t, f.Nodes[1], f)
	ctx := t.Context()
	start := testrun.Must(other.Wait(ctx, "", 0, ""))(t)
	told := make(chan remote.News, 1)
	go func() {
		n, err := c.Wait(ctx, start.Next, time.Minute, "")
		if err != nil {
			t.Error(err)
		}
		told <- n
	}()
	testrun.Must(other.CreateDirectory(ctx, 0, "a"))(t)
	n := <-told
	require.False(t, n.Lost)
	require.Equal(t, "a", n.Events[0].Name)
	require.Equal(t, remote.News{Next: n.Next}, testrun.Must(other.Wait(ctx, n.Next, 0, ""))(t))
}
