// Package control has .paperfs, the directory in which a user inspects and controls a
// mount. Its mode is 0700, and reading its files costs no requests, except in deleted/.
//
//	status   the status of the mount, JSON
//	metrics  the same in numbers, Prometheus text
//	errors   the last failures, one line each (see failure.Event)
//	uploads  uploads under way, waiting and failed
//	deleted/ what the service keeps of what was deleted or replaced; mv into media/ or papers/ restores, rm purges
//	failed/  content that was not published; rm discards it, mv into media/ tries again
//	local    what stays on this machine, JSON
//	check    contradictions in the local media state, one line each
//	retry    write an empty line to try everything that is queued now
//	discard  write the path of a queued file to give it up: it goes to failed/
//	refresh  write a path, or an empty line for everything, to drop what is cached
//	stat     write a path, then read its description from the same handle, JSON
//	undo     write what is to be undone, then read what came back from the same handle, JSON
//
// Paths start at the mount's root, with or without a leading slash.
//
// [NewRoot] creates the directory from [Options], which have the sources: the status, the
// failure log, the media store. The files are nodes of package virtual, except transaction (stat, undo),
// whose answer is read from the handle that asked, and failedFile and
// deletedFile. A rename into media/ begins in failedDir or deletedDir. [Status] is the content of status and metrics: fields are added,
// and never change their meaning.
//
// Locks: deletedSource.mu guards the last listing. deletedContent.mu is held while the service is read from, so that
// reads of one handle come in order. exchange.mu guards the unread part of an answer. It is not held while the answer
// is computed, and no other lock is taken under it. The owners of the data copy it, each
// under its own lock, one after the other: so two numbers of a status may be of different
// moments.
package control
