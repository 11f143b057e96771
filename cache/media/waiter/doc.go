// Package waiter tracks whether the caller of a change of names is still waiting.
//
// The context of a change carries that of its caller ([With], [Of]), which ends when the caller
// leaves. An [Undecided] is a gate before the last bytes of an upload: if the caller leaves before
// all content is sent, the upload ends.
//
// Invariants: a change whose caller left before it had any effect is not made, and fails with
// [ErrLeft]. A change that had an effect continues, and is late. Once all content is sent, a
// caller cannot end its upload.
//
// There is no lock.
package waiter
