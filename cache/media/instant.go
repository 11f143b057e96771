package media

import "time"

// instant is a time of a node as the database has it, too: nanoseconds since
// 1970, modulo 1<<64. Of the times that are the same so, it is the one from
// firstSecond on, so that it has the range of ext4 (December 1901 to May 2446),
// from which files are copied here and compared with here.
type instant int64

const (
	second      = 1_000_000_000 // of nanoseconds
	firstSecond = -1 << 31
	lastSecond  = firstSecond + (1<<64)/second - 1
)

// instantOf is t, or the nearest that an instant can be. The zero time is 1970.
func instantOf(t time.Time) instant {
	switch s := t.Unix(); {
	case t.IsZero():
		return 0
	case s < firstSecond:
		t = time.Unix(firstSecond, 0)
	case s > lastSecond:
		t = time.Unix(lastSecond, 0)
	}
	return instant(t.Unix()*second + int64(t.Nanosecond()))
}

func (i instant) time() time.Time {
	since := uint64(i - firstSecond*second)
	return time.Unix(firstSecond+int64(since/second), int64(since%second))
}
