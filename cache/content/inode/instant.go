package inode

import "time"

// Instant is a time as nodes and the database store it: nanoseconds since 1970, modulo 1<<64.
// Of the times with the same value it stands for the one at or after FirstSecond, so that its
// range is that of ext4 (December 1901 to May 2446): files are copied from there and compared
// with it.
type Instant int64

const (
	second      = 1_000_000_000 // in nanoseconds
	FirstSecond = -1 << 31
	LastSecond  = FirstSecond + (1<<64)/second - 1
)

// InstantOf returns t, or the nearest time in range. The zero time becomes 1970.
func InstantOf(t time.Time) Instant {
	switch s := t.Unix(); {
	case t.IsZero():
		return 0
	case s < FirstSecond:
		t = time.Unix(FirstSecond, 0)
	case s > LastSecond:
		t = time.Unix(LastSecond, 0)
	}
	return Instant(t.Unix()*second + int64(t.Nanosecond()))
}

func (i Instant) Time() time.Time {
	since := uint64(i - FirstSecond*second)
	return time.Unix(FirstSecond+int64(since/second), int64(since%second))
}
