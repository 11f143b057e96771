package inode

import "time"

// Instant is a time of a node as the database has it, too: nanoseconds since
// 1970, modulo 1<<64. Of the times that are the same so, it is the one from
// firstSecond on, so that it has the range of ext4 (December 1901 to May 2446),
// from which files are copied here and compared with here.
type Instant int64

const (
	second      = 1_000_000_000 // of nanoseconds
	FirstSecond = -1 << 31
	LastSecond  = FirstSecond + (1<<64)/second - 1
)

// InstantOf is t, or the nearest that an instant can be. The zero time is 1970.
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
