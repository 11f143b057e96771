// Package draft holds papers' PDFs while they are being written, until each was sent or has
// failed.
//
// A Draft is one such PDF; a Set holds all drafts of a mount. Drafts share the quota, failed/
// and the content cache with the media store, through Options; this package does not know the
// store's files.
//
//	draft    Draft, Set, and their fields
//	write    reads, writes, fsync
//	state    queries that do not wait
//	send     sending what was written
//	queue    with --write-back a close queues the content; dequeue: removing it from the queue
//	deliver  sending queued content, and the outcome
//	seen     what the paper was known to have when the content was queued
//	close    the end: content cache, failed/ or nothing
//	record   the database row for the next mount
//	recover  drafts of an earlier run; requeued: those that were queued
//	set      new drafts, lists, Discard
//	options  what a Set needs from the mount
//
// Queue makes the content of a close durable and queues it. Queued content does not change
// until a newer close replaces it or the service has it: later writes go to another spool.
//
// The locks of a draft are, in this order, Sending, Draft and Known (see package lock).
package draft
