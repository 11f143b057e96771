// Package inflight keeps notifications to the kernel from waiting there.
//
// A notification of an entry waits for the lock of its directory, and one of
// content for the pages of its file: both without an end, and a mount that is
// killed meanwhile can neither end nor be unmounted. What holds the one or
// the other is a request that this process answers. So a notification is held back
// here until there is a gap:
//
//	request             in flight in                 held while it is in flight
//	LOOKUP, READDIR(PLUS) the directory              its entries, its listing
//	CREATE, MKNOD, MKDIR, SYMLINK, LINK, UNLINK, RMDIR
//	                    the directory                its entries, its listing
//	RENAME              both directories             their entries and listings
//	READ, WRITE         the file                     its content
//
// Attributes alone, and what is stored in the kernel's cache, wait for nothing.
//
// Two things are left to package guard: a request that takes the lock between the
// look here and the kernel's, and the directory itself that an RMDIR removes or
// a RENAME moves to another one: the kernel locks it, too, and tells its name alone.
//
// A request that comes while a notification waits for a gap is not begun before
// that has its turn, so that notifications arrive under an endless ls, too. It
// is begun when the notification is sent, not when that has arrived: the kernel
// has the request wait for nothing, but may have the notification wait for it.
package inflight
