// Package flush judges what the end of the use of a file says of its content.
// It looks at the processes that opened it, wrote to it, close it or were killed.
//
// Each close of each duplicate of a descriptor, in any process, is a FLUSH; so
// is the end of a process. A party is a process that has opened the file or has
// written to it through this opening. It holds the file from then on until
// it has died, or no descriptor of it can write to the file any more and no
// FLUSH of it is still to come: one that ends shows no descriptors any more, and
// closes them still. Where its descriptors cannot be looked at (it is
// another user's), it has let go when it flushes after a write of anybody.
//
// The verdict on a FLUSH, the first line that fits:
//
//	how     by        others hold  mapped  verdict
//	any     heir      any          any     Spoil
//	killed  opener    any          any     Spoil
//	killed  writer    any          any     Spoil
//	killed  stranger  any          yes     Spoil
//	killed  stranger  any          no      Leave
//	exec    any       any          any     Leave
//	dying   any       any          any     Leave
//	normal  any       yes          any     Leave
//	normal  any       no           any     Publish
//
// A writer has written since the content was published last; mapped is that
// somebody has, through a mapping: the kernel does not say who.
//
// An heir is a writer in the session of an opener that was killed while it had
// the file: a command of a shell goes on when that is killed, but those that
// should follow it never come. A command with a session of its own was meant to
// outlive its parent. Sessions that cannot be told apart are one: those whose leaders live
// outside of this PID namespace, and those that we may not ask for.
//
// Dying is a process that a signal is about to end, and that has not begun to.
// Where it is killed in the middle of a fork, the kernel closes the descriptors
// of the child that does not come to be, in the name of the parent. What it has
// open itself it closes when it ends.
//
// A close by the opener of one of its own duplicates is a Publish, too, while it
// keeps another: a file system on top of this one (libfuse's and go-fuse's
// pass-through, gocryptfs) tells of a close with close(dup(f)) and keeps f, so its
// cp would otherwise not hear that the upload failed. Nor does a descriptor in
// /proc tell which opening it is of, and a program that keeps a second one, as a lock, wants
// the first published at its close. A PDF is not published so (LastFlushed): the service
// makes pages of what a shell has written by `printf ... >&3`, and takes no other
// until they are made. Its last close publishes, or where none comes the RELEASE.
//
// The verdict on a RELEASE, if a mapping has changed the content since the last
// FLUSH; otherwise the FLUSHes have said all:
//
//	parties           verdict
//	one was killed    Spoil
//	one ended unseen  Spoil
//	else              Publish
//
// Publish has the content sent, and the close returns the outcome. Leave answers
// that nothing is wrong, unless a write was refused: another process publishes at
// its close, or the last RELEASE has the content queued. Spoil says that the content may be half: it
// is not sent unless somebody writes more.
//
// Judge judges the files of one mount. File is one opening, with its parties; its
// methods are called for each OPEN, WRITE, FLUSH and RELEASE.
//
// Locks: File.mu is held while processes are looked at, which takes no other
// lock, and never over a request. Flushed looks at the closing process before it takes it:
// that may wait for an exec. The owner of a File may hold its own locks when it calls.
package flush
