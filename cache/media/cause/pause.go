package cause

import "time"

// The longest times between two attempts. They are rare where the service refuses
// the account, has no space, or refuses one file alone: each attempt sends a whole
// file for nothing, and may count against the account.
const (
	LongestPause     = time.Minute
	LongestRarePause = 15 * time.Minute
)

// PauseAfter is how long to wait after the n-th failure in a row, the last of
// which is err.
func PauseAfter(n int, err error) time.Duration {
	pause := time.Second << min(n-1, 10)
	switch {
	case Barred(err) || DiskFull(err):
		return min(10*pause, LongestRarePause)
	case Doubtful(err) && !General(err):
		return min(pause, LongestRarePause)
	}
	return min(pause, LongestPause)
}
