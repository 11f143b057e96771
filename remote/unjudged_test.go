package remote

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

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
