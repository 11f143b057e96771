package mount

import (
	"testing"
	"time"

	"paperfs/remote/ratelimit"

	"github.com/stretchr/testify/require"
)

func TestTheNextRequestIsTheFirstThatWaits(t *testing.T) {
	now := time.Now()
	in := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	for _, c := range []struct {
		budget ratelimit.Budget
		repeat time.Time
		want   time.Time
	}{
		{ratelimit.Budget{NextFree: in(5)}, time.Time{}, in(5)},
		{ratelimit.Budget{NextFree: in(5), NextStart: in(3)}, time.Time{}, in(3)},
		{ratelimit.Budget{NextFree: in(5)}, in(2), in(2)},
		{ratelimit.Budget{NextFree: in(5), NextStart: in(3)}, in(2), in(2)},
		{ratelimit.Budget{NextFree: in(5), NextStart: in(3)}, in(4), in(3)},
	} {
		require.Equal(t, c.want, nextRequest(c.budget, c.repeat))
	}
}
