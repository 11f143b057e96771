// Package ratelimit keeps calls under a number that may begin in any minute,
// and lets the calls that a person waits for go first.
//
// A [Limiter] counts the calls that began within the last [Window]. A call
// waits in [Limiter.Acquire], in the queue of its [Class]. Background calls
// leave places free, so that a person finds one soon even while a long queue
// of uploads is sent. A service that refuses calls lowers the limit
// ([Limiter.Throttled]); time without a refusal raises it again.
//
// # Invariants
//
//   - Never more than the limit begin within any window, a burst included. With
//     [Open] also the calls of processes before count.
//   - Within a class, calls begin in the order in which they came.
//   - No background call begins while an interactive one waits.
//   - A call is told at once that it would wait for longer than it may.
//
// # Why not golang.org/x/time/rate
//
// A token bucket of 45 that fills by 45 a minute lets 90 calls begin within
// one minute: the burst, and what comes in while it is used. The service
// counts a sliding minute and refuses them. rate.Limiter also knows one class
// of callers, cannot say when the next call would begin without taking a
// place, and has no way to lower the limit for those who wait already.
//
// # Locks
//
// Limiter.mu guards all of a limiter. It is a leaf, held for no wait but that for
// a write of eight bytes to the file of [Open], which is never synced.
package ratelimit
