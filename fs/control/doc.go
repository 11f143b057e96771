// Package control has .paperfs, the directory in which a user inspects and controls a
// mount. Its mode is 0700, and reading its files costs no requests.
//
//	status   the status of the mount, JSON
//	metrics  the same in numbers, Prometheus text
//	errors   the last failures, one line each (see failure.Event)
//	uploads  uploads under way, waiting and failed
//	failed/  content that was not published; rm discards it, mv into media/ tries again
//	local    what stays on this machine, JSON
//	retry    write an empty line to try everything that is queued now
//	discard  write the path of a queued file to give it up: it goes to failed/
//	refresh  write a path, or an empty line for everything, to drop what is cached
//	sign-in  write an empty line, then read from the same handle an address that signs a browser in, once and soon
//	stat     write a path, then read its description from the same handle, JSON
//	undo     write what is to be undone, listed or removed for good, then read the answer from the same handle: JSON, or
//	         the content of what is kept
//
// Paths start at the mount's root, with or without a leading slash.
//
// [NewRoot] creates the directory from [Options], which have the sources: the status, the
// failure log, the media store. The files are nodes of package virtual, except transaction (stat, undo),
// whose answer is read from the handle that asked, and failedFile. A rename into media/ begins in failedDir. [Status] is
// the content of status and metrics: fields are added, and never change their meaning.
//
// Locks: exchange.mu guards the unread part of an answer, also while the service is read from, so that reads of one
// handle come in order. It is not held while the answer
// is computed, and no other lock is taken under it. The owners of the data copy it, each
// under its own lock, one after the other: so two numbers of a status may be of different
// moments.
package control
