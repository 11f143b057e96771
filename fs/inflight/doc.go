// Package inflight keeps notifications to the kernel from waiting in the kernel.
//
// A notification of an entry waits for the lock of its directory, and one of content
// waits for the pages of its file. Neither wait can be interrupted: a mount that is killed
// during one can neither end nor be unmounted. A request that this process has yet to
// answer may hold the lock or the pages. So [FS] delays a notification while such a request
// is in flight, and its [Table] has those requests:
//
//	request             in flight in                 delays notifications of
//	LOOKUP, READDIR(PLUS) the directory              its entries, its listing
//	CREATE, MKNOD, MKDIR, SYMLINK, LINK, UNLINK, RMDIR
//	                    the directory                its entries, its listing
//	RENAME              both directories             their entries and listings
//	READ, WRITE         the file                     its content
//
// Notifications of attributes alone, and those that store content in the kernel's
// cache, wait for nothing.
//
// Package guard covers the two remaining cases: a request that takes the lock between this
// package's check and the kernel's, and the directory that an RMDIR removes or a RENAME
// moves to another directory. The kernel locks that directory, too, but sends only its
// name.
//
// A request that comes while a notification waits must wait until the notification has
// been sent. Otherwise an endless ls would delay notifications forever. The request
// begins when the notification is sent, not when it has arrived: in the kernel the
// request waits for nothing, but the notification may wait for the request. A READ is in
// flight until its reply is written.
//
// # Content that becomes shorter
//
// Another client may shorten a file while a program reads it. The kernel uses the old
// size until the answer to a READ is shorter than requested. It takes the new size from
// that answer, unless a notification of content or another short answer came after it
// sent the READ. In that case it shows NULs up to the old size. So an answer that finds
// the end of the content, if it comes
//
//	while a READ of an earlier part is in flight  waits for that one's answer
//	while a notification of content is under way  is EIO, once the notification has arrived
//	when the kernel repeats the READ after EIO    is sent unchanged
//	otherwise                                     is sent unchanged
//
// Only a read-ahead READ fails this way: the kernel repeats it when a program needs the
// part, and has the notification by then. The call that sends a notification returns only
// when the READs of that time are answered, because they have their pages locked. Until
// then nothing shows whether the notification has arrived, so the answer waits for a fixed
// time instead. None of this applies to reads that bypass the page cache (O_DIRECT).
//
// Lock: Table.mu, a leaf.
package inflight
