package cause

import "time"

// Maximum pauses between two attempts. Attempts are rarer if the service rejects the account,
// has no space, or refuses a single file: each attempt then sends a whole file for nothing, and
// may count against the account.
const (
	LongestPause     = time.Minute
	LongestRarePause = 15 * time.Minute
)

// PauseAfter returns how long to wait after n failures in a row, the last of which is err.
func PauseAfter(n int, err error) time.Duration {
	pause := time.Second << min(n-1, 10)
	switch {
	case Barred(err) || DiskFull(err):
		return min(10*pause, LongestRarePause)
	case Unclear(err) && !General(err):
		return min(pause, LongestRarePause)
	}
	return min(pause, LongestPause)
}
