// Package outbox sends the keys that are added to it, several at a time, until each is sent or
// dropped. It knows whether a key is ready and calls a function that sends it. What a key
// stands for, and where that is stored, is the caller's business.
//
// A failed key is retried after a pause of its own, or, if the failure affects everything,
// after a pause of the whole outbox. A caller that changes what a key stands for cancels the
// key: nothing of it is sent until the caller resumes or drops it.
//
// # The states of a key
//
//	waiting   not ready at the last check
//	ready     in line
//	paused    waits for a timer
//	sending   Send is in progress
//	stopping  sending, but cancelled in the meantime
//	stopped   cancelled, and not being sent
//
// Rows are states and columns are events; a dash changes nothing.
//
//	           offer  turn     begin    over   retry  postpone  cancel    resume   again    later    refused
//	waiting    ready  -        sending  -      ready  paused    stopped   -        -        -        -
//	ready      -      waiting  sending  -      -      paused    stopped   -        -        -        -
//	paused     -      -        -        ready  ready  paused    stopped   -        -        -        -
//	sending    -      -        -        -      -      -         stopping  -        waiting  paused   stopped
//	stopping   -      -        -        -      -      -         -         sending  stopped  stopped  stopped
//	stopped    -      -        -        -      -      -         -         waiting  -        -        -
//
// Add adds a key as waiting or paused, and Drop removes it in any state. A key is offered when
// it may have become ready. Its turn comes when it is first in line; only then is Ready called,
// without a lock, so an offer may arrive between turn and begin. The event over is the end of a
// key's pause. Ended turns the outcome of a Send into the event again, later or refused. A pause
// that is still running when a key is sent or cancelled is not forgotten: if the key becomes
// waiting again, it is paused until the pause ends.
//
// The mutex of an outbox ranks below all locks of its caller: all methods except Start and Close
// may be called under any of them. Send and Ready are called without locks.
package outbox
