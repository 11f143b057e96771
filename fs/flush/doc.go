// Package flush decides whether the content of a file is complete when a program closes
// it. It looks at the processes that opened the file, wrote to it, close it or were
// killed.
//
// A [Judge] judges the files of one mount. A [File] is one opening, with its parties; the
// owner calls its methods for each OPEN, WRITE, FLUSH and RELEASE. The answer is a
// [Verdict].
//
// The kernel sends a FLUSH for each close of each duplicate of a descriptor, in any
// process, and also when a process ends. A party is a process that opened the file or
// wrote to it through this opening. A party holds the file until it has died, or until
// none of its descriptors can write to the file and no FLUSH from it is due: a process
// that is ending shows no descriptors, but still closes them. If the descriptors of a
// party are hidden (another user's process), it lets go with its first FLUSH after any
// write.
//
// The verdict on a FLUSH is that of the first matching row:
//
//	how     by        others hold  mapped  verdict
//	any     orphan    any          any     Spoil
//	killed  opener    any          any     Spoil
//	killed  writer    any          any     Spoil
//	killed  stranger  any          yes     Spoil
//	killed  stranger  any          no      Leave
//	exec    any       any          any     Leave
//	dying   any       any          any     Leave
//	normal  any       yes          any     Leave
//	normal  any       no           any     Publish
//
// A writer has written since the content was last published. Mapped means that some
// process has written through a mapping since then: the kernel does not say which.
//
// An orphan is a writer in the session of an opener that was killed while it had the
// file open. When a shell is killed, the command that it runs continues, but the commands
// after it never run. A command with a session of its own is meant to outlive its parent.
// Two sessions count as one if they cannot be told apart: if their leaders are outside
// this PID namespace, or if paperfs may not read them.
//
// A process is dying if a signal is about to end it and its exit has not begun. If it is
// killed in the middle of a fork, the kernel closes the descriptors of the unborn child
// in the parent's name. The process closes its own descriptors when it exits.
//
// If the opener closes one of its duplicates and keeps another, the verdict is Publish,
// for two reasons. A file system on top of this one (libfuse's and go-fuse's
// pass-through, gocryptfs) passes a close on as close(dup(f)) and keeps f; otherwise its
// cp would not learn that the upload failed. And a descriptor in /proc does not say to
// which opening it belongs: a program that keeps a second opening, as a lock, wants the
// first one published at its close. A PDF is different (LastFlushed): the service would
// make pages of what a shell has written so far with `printf ... >&3`, and refuse another
// PDF until they are done. The last close publishes a PDF, or the RELEASE if no such
// close comes.
//
// The verdict on a RELEASE, if a mapping has changed the content since the last FLUSH
// (otherwise the FLUSHes have decided):
//
//	parties           verdict
//	one was killed    Spoil
//	one ended unseen  Spoil
//	else              Publish
//
// Publish sends the content, and the close returns the outcome. Leave sends nothing and
// the close succeeds, unless a write was refused: another process publishes at its
// close, or the last RELEASE queues the content. Spoil means that the content may be
// incomplete: it is never sent, and the name lets go of it.
//
// Publish becomes Spoil if the content has parts that a killed program wrote through another opening of
// the file ([File.Cut]): its own FLUSH may come later.
//
// Locks: File.mu is held while the package reads /proc, and never during a request; no
// other lock is taken under it. Flushed looks at the closing process before it takes
// File.mu, because that may wait for an exec. The owner of a File may hold its own locks
// when it calls.
package flush
