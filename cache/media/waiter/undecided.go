package waiter

import (
	"paperfs/cache/media/lock"
)

// Undecided is a gate before the last bytes of content, which its caller can shut until all of
// the content was sent once.
type Undecided struct {
	mu    lock.Mutex[lock.Gate]
	over  bool // it ends
	whole bool // all of it was sent once
}

// End has the content not be sent to its end, and reports whether that can be.
func (u *Undecided) End() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = !u.whole
	return u.over
}

// Ended reports whether its caller has shut it.
func (u *Undecided) Ended() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.over
}

// Begin implements spool.Gate.
func (u *Undecided) Begin() error {
	if u.Ended() {
		return ErrLeft
	}
	return nil
}

// Finish implements spool.Gate.
func (u *Undecided) Finish() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		return ErrLeft
	}
	u.whole = true
	return nil
}
