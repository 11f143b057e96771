package answer

import (
	"errors"
	"sync/atomic"
)

// Room is the memory that answers share when the disk has no space for them.
type Room struct {
	Most int64 // bytes
	used atomic.Int64
}

// errNoRoom aborts an answer.
var errNoRoom = errors.New("the disk has no room for the answer, nor has the memory for such answers")

// take reserves bytes and reports whether there was room; a nil Room always has room.
func (r *Room) take(bytes int64) bool {
	if r == nil {
		return true
	}
	if r.used.Add(bytes) > r.Most {
		r.used.Add(-bytes)
		return false
	}
	return true
}

func (r *Room) giveBack(bytes int64) {
	if r != nil {
		r.used.Add(-bytes)
	}
}
