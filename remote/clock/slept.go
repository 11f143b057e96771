package clock

import (
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Slept returns how long the machine has been suspended since its start. The difference
// of two times of time.Now leaves that out, because its monotonic clock stops during a
// suspension. Code that needs the age of something on the service adds the growth of
// Slept.
//
// The result never gets smaller. It grows in steps of a tenth of a second or more, and
// stays the same while the machine runs: nothing can read its two clocks at the same
// moment.
func Slept() time.Duration {
	with, err := read(unix.CLOCK_BOOTTIME) // first: the time until the next line makes the result smaller, not greater
	if err != nil {
		return 0
	}
	without, err := read(unix.CLOCK_MONOTONIC)
	if err != nil {
		return 0
	}
	return slept.least(with - without)
}

var slept sleep

// sleep is the greatest result so far, in nanoseconds.
type sleep struct{ told atomic.Int64 }

func (s *sleep) least(measured time.Duration) time.Duration {
	const step = 100 * time.Millisecond
	for {
		told := s.told.Load()
		if measured-time.Duration(told) < step {
			return time.Duration(told)
		}
		if s.told.CompareAndSwap(told, int64(measured)) {
			return measured
		}
	}
}

func read(clock int32) (time.Duration, error) {
	var at unix.Timespec
	err := unix.ClockGettime(clock, &at)
	return time.Duration(at.Nano()), err
}
