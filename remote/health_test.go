package remote

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAServiceThatIsAwayIsProbed checks that calls fail at once while the service is
// unreachable. After growing pauses, one call at a time checks whether the service is back; an
// answer ends this.
func TestAServiceThatIsAwayIsProbed(t *testing.T) {
	t.Parallel()
	fake := testrun.NewClock()
	s, c := serve(t, answers(result(Success, `<paper url="/a/" />`)))
	c.health = newHealth(fake.Now)
	address := c.base.Host
	c.base.Host, _ = closedPort(t)
	c.transport.CloseIdleConnections()

	_, err := c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, Unreachable)
	since := c.Stats().AwaySince
	require.Equal(t, fake.Now(), since)
	pause := firstAway
	for range 6 {
		require.Equal(t, fake.Now().Add(pause), c.Stats().AskedAgain)
		requests := c.Stats().Operations["GetPaperUrlFromID"].Requests
		fake.Advance(pause - time.Nanosecond)
		_, err := c.GetPaperUrlFromID(ctx, 1)
		require.ErrorIs(t, fails(t, err, Unreachable), errAway)
		require.Equal(t, requests, c.Stats().Operations["GetPaperUrlFromID"].Requests, "nothing is sent")
		fake.Advance(time.Nanosecond)
		_, err = c.GetPaperUrlFromID(ctx, 1)
		fails(t, err, Unreachable)
		require.Equal(t, requests+1, c.Stats().Operations["GetPaperUrlFromID"].Requests, "one probe, not repeated")
		pause = min(2*pause, longestAway)
	}
	require.Equal(t, since, c.Stats().AwaySince)

	// AskNow lets one request out before the pause ends, and only one.
	requests := c.Stats().Operations["GetPaperUrlFromID"].Requests
	c.AskNow()
	for range 2 {
		_, err := c.GetPaperUrlFromID(ctx, 1)
		fails(t, err, Unreachable)
	}
	require.Equal(t, requests+1, c.Stats().Operations["GetPaperUrlFromID"].Requests)
	require.Equal(t, since, c.Stats().AwaySince)

	// A call made during the probe does not wait for it.
	c.base.Host = address
	fake.Advance(pause)
	ok, probe := c.health.admit()
	require.True(t, ok && probe)
	_, err = c.GetPaperUrlFromID(context.Background(), 1)
	require.ErrorIs(t, fails(t, err, Unreachable), errAway)
	c.health.leave()
	testrun.Must(c.GetPaperUrlFromID(ctx, 1))(t)
	require.Zero(t, c.Stats().AwaySince)
	require.Len(t, s.requests(), 1)
}

// TestContentSaysThatTheServiceIsBack checks that an answer to a download from the service's own address, also that it
// has another version, lets calls out at once, and one from another host does not.
func TestContentSaysThatTheServiceIsBack(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]handler{
		"content": answers("content"), "another version": status(http.StatusPreconditionFailed, ""), "no content": status(http.StatusNotFound, ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := newServer(t, func(w http.ResponseWriter, _ *http.Request) {})
			_, c := serve(t, answer, func(o *Options) { o.ContentHosts = []string{other.Listener.Addr().String()} })
			c.health.failed()
			r, err := c.Download(ctx, other.URL, Part{})
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.NotZero(t, c.Stats().AwaySince)
			if r, err = c.Download(ctx, "/x", Part{To: 10, Tag: `"old"`}); err == nil {
				require.NoError(t, r.Close())
			}
			require.Zero(t, c.Stats().AwaySince)
			ok, probe := c.health.admit()
			require.True(t, ok && !probe)
		})
	}
}
