package media

import (
	"time"
)

// The longest times between two attempts. They are rare where the service refuses
// the account, has no space, or refuses one file alone: each attempt sends a whole
// file for nothing, and may count against the account.
const (
	longestPause     = time.Minute
	longestRarePause = 15 * time.Minute
)

// pauseAfter is how long to wait after the n-th failure in a row, the last of
// which is err.
func pauseAfter(n int, err error) time.Duration {
	pause := time.Second << min(n-1, 10)
	switch {
	case barred(err) || diskFull(err):
		return min(10*pause, longestRarePause)
	case doubtful(err) && !general(err):
		return min(pause, longestRarePause)
	}
	return min(pause, longestPause)
}
