// Package waiter tracks whether the caller of a change of names is still waiting, and which names the
// change has locked, so that only one change of a name happens at the service at a time, while changes
// of other names go on.
//
// The context of a change carries that of its caller ([With], [Of]), which ends when the caller
// leaves. An [Undecided] is a gate before the last bytes of an upload: if the caller leaves before
// all content is sent, the upload ends.
//
// Invariants: a change whose caller left before it had any effect is not made, and fails with
// [ErrLeft]. A change that had an effect continues, and is late. Once all content is sent, a
// caller cannot end its upload.
//
// [Names] has the locks of names, ignoring case. They are held during requests, so they come before all
// other locks. A caller that needs several takes all of them at once. Names.mu is the lock Names (see
// package lock).
//
// [Flights] shares a request among all callers that need its answer. Flights.mu is the lock Flights.
package waiter
