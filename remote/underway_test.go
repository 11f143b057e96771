package remote

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPausesAreVisible checks that Stats shows the pause before a retry.
func TestPausesAreVisible(t *testing.T) {
	t.Parallel()
	_, c := serve(t, then(status(http.StatusServiceUnavailable, ""), answers(result(Success, ""))))
	began := time.Now()
	paused, goOn := make(chan time.Duration), make(chan struct{})
	c.clock.AfterFunc = func(d time.Duration, f func()) func() bool {
		go func() {
			paused <- d
			<-goOn
			f()
		}()
		return func() bool { return false }
	}
	given := make(chan error)
	go func() { given <- c.MovePaper(ctx, 1, 2) }()
	d := <-paused
	s := c.Stats()
	require.Equal(t, 1, s.Repeating)
	require.False(t, s.NextRepeat.Before(began.Add(d)))
	require.Len(t, s.UnderWay, 1)
	require.Equal(t, "MovePaper", s.UnderWay[0].Operation)
	require.Equal(t, ForRepeat, s.UnderWay[0].Stage)
	close(goOn)
	require.NoError(t, <-given)
	require.Zero(t, c.Stats().Repeating)
	require.Zero(t, c.Stats().NextRepeat)
	require.Empty(t, c.Stats().UnderWay)
}
