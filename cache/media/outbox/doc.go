// Package outbox sends what is added to it, several at a time, until it is sent
// or somebody drops it. It knows keys, whether one is ready, and a function that
// sends; what a key stands for, and where that is kept, it does not know.
//
// What has failed is tried again: after a pause of its own, or, where the
// failure concerns everything, after one of the whole outbox. Those who change
// what a key stands for cancel it: nothing of it is sent until they resume or drop
// it.
//
// # The states of a key
//
//	waiting   it was not ready when it was last looked at
//	ready     it is in line
//	paused    it waits for a timer
//	sending   Send is under way
//	stopping  the same, but it was cancelled in that time
//	stopped   it is cancelled, and nothing is under way
//
// Each row is a state, each column what happens; a dash changes nothing.
//
//	           offer  turn     begin    over   retry  postpone  cancel    resume   again    later    refused
//	waiting    ready  -        sending  -      ready  paused    stopped   -        -        -        -
//	ready      -      waiting  sending  -      -      paused    stopped   -        -        -        -
//	paused     -      -        -        ready  ready  paused    stopped   -        -        -        -
//	sending    -      -        -        -      -      -         stopping  -        waiting  paused   stopped
//	stopping   -      -        -        -      -      -         -         sending  stopped  stopped  stopped
//	stopped    -      -        -        -      -      -         -         waiting  -        -        -
//
// A key is added as waiting, or paused, and is gone from any state by a drop. It
// is offered when it may have become ready. Its turn comes when it is the first
// in line; whether it is ready is asked then, without a lock, so an offer may
// come between turn and begin. Over is its pause. Again, later and refused are
// what Ended says of a Send. A pause that runs on while the key is sent or cancelled is
// not forgotten: who then becomes waiting is paused until it is over.
//
// The mutex of an outbox is below all locks of its caller: Add to Ended may be
// called under any. Send and Ready are called under none.
package outbox
