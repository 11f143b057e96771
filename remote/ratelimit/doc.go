// Package ratelimit limits how many calls begin in any minute, and lets the calls that a
// person waits for go first.
//
// A [Limiter] counts the calls that began within the last [Window]. A call
// waits in [Limiter.Acquire], in the queue of its [Class]. Background calls leave places
// free, so that a person gets one soon even during a long queue of uploads. If the
// service refuses calls, the limiter lowers the limit ([Limiter.Throttled]); it raises
// the limit again after a time without a refusal.
//
// # Invariants
//
//   - No more calls than the limit begin within any window, bursts included. With [Open],
//     the calls of earlier processes count too.
//   - Within a class, calls begin in the order in which they came.
//   - No background call begins while an interactive one waits.
//   - A call that would wait for longer than it may fails at once.
//
// # Why not golang.org/x/time/rate
//
// A token bucket of 45 that refills at 45 a minute lets 90 calls begin within one minute:
// the burst, and the tokens that arrive during it. The service counts a sliding minute
// and refuses them. Also, rate.Limiter has only one class of callers, cannot tell when
// the next call would begin without reserving a place, and cannot lower the limit for
// calls that wait already.
//
// # Locks
//
// Limiter.mu guards all of a limiter. It is a leaf. The only I/O under it is a write of
// eight bytes to the file of [Open], which is never synced.
package ratelimit
