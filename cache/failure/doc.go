// Package failure remembers failures for the user who asks later: one log line per
// failure, and the last ones in memory.
//
// An Event is one failed operation. Log writes the log lines, keeps the last 500 events
// and counts all. Oddities reports oddities of an answer that is read repeatedly only when
// they are new.
//
// Reporting a failure changes nothing else: Report returns no error. An event is one line,
// whatever a name or a message contains, and Parse parses that line.
//
// Locks: Log.mu is held for a moment, not while a line is written, and no other lock is
// taken while it is held. Oddities has no lock: its owner serializes the calls.
package failure
