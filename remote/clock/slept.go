package clock

import (
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Slept is how long the machine has been suspended since it was started. The difference
// of two times of time.Now leaves that out, because the clock that it reads stands still
// meanwhile: who judges the age of something at the service adds what Slept grew by.
//
// It never gets less. It grows in steps of a tenth of a second or more: the two clocks
// behind it cannot be read in the same moment, and it stays the same while the machine
// runs.
func Slept() time.Duration {
	with, err := read(unix.CLOCK_BOOTTIME) // first: what passes until the next line makes it less, not more
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

// sleep is the largest that was told, in nanoseconds.
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
