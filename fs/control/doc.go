// Package control is .paperfs, the directory by which a user looks into a
// mount and acts on it. It is mode 0700 and its files cost the service nothing.
//
//	status   the status of the mount, JSON
//	metrics  the same in numbers, Prometheus text
//	errors   the last failures, one line each (see failure.Event)
//	uploads  what is on its way to the service, and what did not get there
//	failed/  content that was not published; rm discards it, mv into media/ tries again
//	local    what stays here and is not sent, JSON
//	retry    write an empty line to try everything that is queued now
//	discard  write the path of a queued file to give it up: it goes to failed/
//	refresh  write a path, or an empty line for everything, to forget what is cached
//	stat     write a path and read from the same handle what it is, JSON
//
// A path is one from the mount's root, with or without a leading slash.
//
// NewRoot makes the directory of Options, which say where all comes from: Status, the
// failure log, the media store. The files are nodes of package virtual, but for
// transaction, whose answer is read from the handle that asked, and failedFile.
// failedDir is where a rename into media/ begins. Status is what status and metrics
// show: fields are added, never changed in meaning.
//
// Locks: exchange.mu guards what is left of an answer. It is not held while the answer
// is made, and no other lock is taken under it. The
// owners copy what they show, each under its own lock, one after the other: two
// numbers of status may be of two moments.
package control
