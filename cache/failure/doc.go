// Package failure remembers what went wrong, for the user who asks later: one
// log line a failure, and the last failures kept in memory.
//
// An Event is one failed operation. Log has the last 500 of them, and counts all;
// it writes the line. Oddities tells which oddities of an answer are new: something
// that is read again and again is reported once.
//
// A failure is reported after the fact and changes nothing: Report returns no
// error and asks nothing of anybody. An event is one line, whatever a name or a
// message has in it, and Parse reads that line back.
//
// Locks: Log.mu is held for a moment, not while the line is written, and no other lock
// is taken under it. Oddities has none: its owner calls it under a lock of its own.
package failure
