package remote

import (
	"io"
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

// TestANodeThatComparesNoVersionIsTold checks an older node of a service, which answers a change under a condition without a
// version: that is told once, and from then on callers look themselves.
func TestANodeThatComparesNoVersionIsTold(t *testing.T) {
	t.Parallel()
	var told []error
	old := false
	_, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(OffersHeader, OfferVersions)
		version := "<version>7</version>"
		if old {
			version = ""
		}
		io.WriteString(w, result(Success, version))
	}, func(o *Options) { o.Unjudged = func(err error) { told = append(told, err) } })
	under := func(If Version) Version {
		done := Condition{If: If}
		require.NoError(t, c.DeleteFile(Under(t.Context(), &done), 1))
		return done.Now
	}
	require.EqualValues(t, 7, under(5))
	old = true
	require.Zero(t, under(0), "a change that requires nothing")
	offers, _ := c.Offers()
	require.True(t, offers.Versions)
	require.Empty(t, told)
	for range 2 {
		require.Zero(t, under(5))
		offers, _ = c.Offers()
		require.False(t, offers.Versions)
	}
	require.Len(t, told, 1)
	require.ErrorContains(t, told[0], "did not compare the version that DeleteFile required")
}
