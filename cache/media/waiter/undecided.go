package waiter

import "sync/atomic"

// Undecided is a gate before the last bytes of content. Its caller can shut it until all
// content was sent once.
type Undecided struct{ state atomic.Uint32 }

// The states of an Undecided.
const (
	undecided = iota
	over      // the gate is shut
	whole     // all content was sent once
)

// End shuts the gate, and reports whether that was still possible.
func (u *Undecided) End() bool {
	u.state.CompareAndSwap(undecided, over)
	return u.Ended()
}

// Ended reports whether the gate is shut.
func (u *Undecided) Ended() bool { return u.state.Load() == over }

// Begin implements spool.Gate.
func (u *Undecided) Begin() error {
	if u.Ended() {
		return ErrLeft
	}
	return nil
}

// Finish implements spool.Gate.
func (u *Undecided) Finish() error {
	u.state.CompareAndSwap(undecided, whole)
	return u.Begin()
}
