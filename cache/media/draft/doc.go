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
// A draft has a row from before its first byte until its content has left the spool. The next
// mount reads from it the path to show in failed/, and caches content that the service received
// just before the kill. The row of a draft whose close queued it names the queued spool, durably:
// the next mount sends that, and newer writes go to failed/. The row also records what the paper
// was known to have, unless an attempt may have taken effect since.
//
// A draft's locks have the ranks of a file's: sending that of a download, mu that of the content, and
// known that of the store (see package lock).
package draft
