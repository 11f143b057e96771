package remote

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestTheEndOfAClient checks that End ends calls and downloads at each of their stages, and later ones.
func TestTheEndOfAClient(t *testing.T) {
	t.Parallel()
	ended := func(t *testing.T, err error, ambiguous bool) {
		t.Helper()
		require.Equal(t, ambiguous, fails(t, err, Cancelled).Ambiguous)
	}
	reached := func(t *testing.T, c *Client, stage Stage) {
		t.Helper()
		require.Eventually(t, func() bool {
			calls := c.Stats().UnderWay
			return len(calls) == 1 && calls[0].Stage == stage
		}, 10*time.Second, time.Millisecond)
	}
	t.Run("a change that has no answer", func(t *testing.T) {
		came := make(chan struct{})
		_, c := serve(t, func(_ int, _ http.ResponseWriter, r *http.Request) {
			close(came)
			<-r.Context().Done()
		})
		given := make(chan error)
		go func() { given <- c.MovePaper(ctx, 1, 2) }()
		<-came
		c.End()
		ended(t, <-given, true)
		ended(t, c.MovePaper(ctx, 1, 2), false)
	})
	t.Run("a change that pauses", func(t *testing.T) {
		_, c := serve(t, status(http.StatusServiceUnavailable, ""))
		c.clock.AfterFunc = func(time.Duration, func()) func() bool { return func() bool { return true } }
		given := make(chan error)
		go func() { given <- c.MovePaper(ctx, 1, 2) }()
		reached(t, c, ForRepeat)
		c.End()
		ended(t, <-given, true)
	})
	t.Run("a change that waits for the limit", func(t *testing.T) {
		_, c := serve(t, answers(result(Success, "")), func(o *Options) { o.RPM = 1 })
		require.NoError(t, c.MovePaper(ctx, 1, 2))
		given := make(chan error)
		go func() { given <- c.MovePaper(ctx, 1, 2) }()
		reached(t, c, ForBudget)
		c.End()
		ended(t, <-given, false)
	})
	t.Run("a change that waits for its turn", func(t *testing.T) {
		_, c := serve(t, answers(result(Success, "")), func(o *Options) { o.RPM = 1 })
		require.NoError(t, c.MovePaper(ctx, 1, 2))
		given := make(chan error)
		go func() {
			_, _, err := c.Turn(ctx, MovePaper)
			given <- err
		}()
		reached(t, c, ForBudget)
		c.End()
		ended(t, <-given, false)
	})
	t.Run("a download", func(t *testing.T) {
		_, c := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "some")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		content := testrun.Must(c.Download(ctx, c.base.String()+"/media/1/a", Part{}))(t)
		defer content.Close()
		testrun.Must(io.ReadFull(content, make([]byte, 4)))(t)
		c.End()
		_, err := content.Read(make([]byte, 1))
		ended(t, err, false)
		_, err = c.Download(ctx, c.base.String()+"/media/1/a", Part{})
		ended(t, err, false)
		with, stop := c.until(ctx)
		defer stop()
		require.Error(t, with.Err(), "a later call has ended before it asks the service anything")
	})
}
