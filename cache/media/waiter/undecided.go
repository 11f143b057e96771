package waiter

import (
	"paperfs/cache/media/lock"
)

// Undecided is a gate before the last bytes of content. Its caller can shut it until all
// content was sent once.
type Undecided struct {
	mu    lock.Mutex[lock.Gate]
	over  bool // the gate is shut
	whole bool // all content was sent once
}

// End shuts the gate, and reports whether that was still possible.
func (u *Undecided) End() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = !u.whole
	return u.over
}

// Ended reports whether the gate is shut.
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
