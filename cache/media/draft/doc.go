// Package draft keeps a paper's PDF while it is written, until it was sent or has failed.
//
// A Draft is such a PDF; a Set is all of a mount's. A draft shares the room, failed/ and the
// content cache of the media store, which is told in Options; this package knows nothing
// of the store's files.
//
//	draft    a Draft, the Set of all, and what is in them
//	write    reads, writes, fsync
//	state    what is asked of a draft that waits for nothing
//	send     what was written goes to the service
//	queue    with --write-back a close queues it; dequeue: it is taken out again
//	deliver  what is queued is sent, and what comes of that
//	seen     what the paper was known to have when it was queued
//	close    the end: content cache, failed/ or nothing
//	record   the row by which the next mount knows it
//	recover  what an earlier run has left; requeued: what of that is queued
//	set      all of them: new ones, lists, Discard
//	options  what a Set needs of the mount
//
// With Queue a close makes the content durable here and queues it. It stays as it is, in a
// spool of its own once more is written, until a newer close replaces it or the service has it.
//
// The locks of a draft are, in this order, Sending, Draft and Known; Drafts is the Set's. See
// package lock.
package draft
