package remote

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestTheServiceSaysHowManyRequestsItTakes has a service that tells its rate, tells none any more, and tells nonsense.
func TestTheServiceSaysHowManyRequestsItTakes(t *testing.T) {
	t.Parallel()
	told := []string{"versions, rate=0", "versions, rate=7", "versions", "rate=600", "rate=-1", "rate=x", ""}
	for rule, want := range map[bool][]int{true: {0, 7, 45, 600, 45, 45, 45}, false: {45, 45, 45, 45, 45, 45, 45}} {
		_, c := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(OffersHeader, told[n])
			_, _ = io.WriteString(w, result(Success, "<settings></settings>"))
		}, func(o *Options) { o.RPM, o.RPMTold = 45, rule })
		for n := range told {
			testrun.Must(c.GetSettingDescriptions(t.Context()))(t)
			require.Equal(t, want[n], c.Stats().Budget.Limit, "after %q", told[n])
			require.Equal(t, want[n], c.Stats().Budget.Full)
		}
	}
}

// TestCallsThatWaitForALimitGoOnWhenItIsGone has more calls at once than the limit, and a first answer that tells of none.
func TestCallsThatWaitForALimitGoOnWhenItIsGone(t *testing.T) {
	t.Parallel()
	_, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(OffersHeader, "rate=0")
		_, _ = io.WriteString(w, result(Success, "<settings></settings>"))
	}, func(o *Options) { o.RPM, o.RPMTold, o.MaxWait = 1, true, time.Hour })
	done := make(chan error)
	for range 10 {
		go func() {
			_, err := c.GetSettingDescriptions(t.Context())
			done <- err
		}()
	}
	for range 10 {
		require.NoError(t, <-done)
	}
}
