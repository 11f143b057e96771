// Package inflight keeps notifications to the kernel from waiting there.
//
// A notification of an entry waits for the lock of its directory, and one of
// content for the pages of its file: both without an end, and a mount that is
// killed then can neither end nor be unmounted. What holds the one or
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
// A READ is in flight until its reply is written.
//
// # Content that becomes shorter
//
// Others shorten a file that is read. The kernel goes on with the old size until
// an answer to a READ is shorter than asked for. It takes the new size from that
// unless something has told it of the file since it sent the READ: a
// notification of content does, and so does another short answer. Then it shows
// NULs up to the old size. So an answer that finds the content's end
//
//	while a READ of an earlier part is in flight   comes after that one's
//	while a notification of content is under way   is EIO, once the notification has arrived
//	to what such an EIO had the kernel ask again   comes as it is
//	otherwise                                      comes as it is
//
// A failed READ is one of reading ahead: the kernel asks again when a program
// needs the part, and by then has heard of the notification. That it has arrived
// is known only when it returns, and it does not return before the READs of that
// time are answered: they have their pages locked. So it is given some time.
// Reads past the page cache (O_DIRECT) have none of this.
package inflight
