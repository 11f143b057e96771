// Package waiter tracks whether the caller of a change of names is still waiting.
//
// A [Waiter] is the caller, carried in the context of a change ([With], [Of]). An [Undecided]
// is a gate before the last bytes of an upload: if the caller leaves before all content is
// sent, the upload ends.
//
// Invariants: a change whose caller left before it had any effect is not made, and fails with
// [ErrLeft]. A change that had an effect continues, and is late. Once all content is sent, a
// caller cannot end its upload.
//
// Waiter.mu is the lock Caller (see package lock). Functions passed to OnLeave run
// under Waiter.mu and must not wait.
package waiter
