// Package waiter knows who waits for a change of names, and whether the caller has left.
//
// A [Waiter] is a caller, in the context of a change ([With], [Of]). An [Undecided] is the gate before the
// last bytes of an upload that ends with its caller, as long as the service has not got all of it.
//
// Invariants: a change whose caller has left before it had any effect is not done, and fails with
// [ErrLeft]; one that had an effect goes on, and is late. Once all of the content is out, a caller
// cannot end its upload.
//
// Locks: Waiter.mu has the rank Caller, Undecided.mu the rank Gate. What OnLeave was given runs
// under the first, and must not wait.
package waiter
