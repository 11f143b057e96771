// Package inflight keeps notifications to the kernel from waiting there.
//
// A notification of an entry waits for the lock of its directory, and one of content
// waits for the pages of its file. Neither wait can be ended: a mount that is killed
// during one can neither end nor be unmounted. A request that this process answers
// holds the lock or the pages. So this package holds a notification back while such a
// request is in flight:
//
//	request             in flight in                 held while it is in flight
//	LOOKUP, READDIR(PLUS) the directory              its entries, its listing
//	CREATE, MKNOD, MKDIR, SYMLINK, LINK, UNLINK, RMDIR
//	                    the directory                its entries, its listing
//	RENAME              both directories             their entries and listings
//	READ, WRITE         the file                     its content
//
// Notifications of attributes alone, and those that store content in the kernel's
// cache, wait for nothing.
//
// Package guard covers two cases that remain: a request that takes the lock between the
// look here and the kernel's own, and the directory that an RMDIR removes or a RENAME
// moves to another directory. The kernel locks that directory, too, but sends only its
// name.
//
// A request that comes while a notification waits must wait until the notification is
// sent. Otherwise an endless ls would hold notifications back forever. The request
// begins when the notification is sent, not when it has arrived: in the kernel the
// request waits for nothing, but the notification may wait for the request. A READ is in
// flight until its reply is written.
//
// # Content that becomes shorter
//
// Somebody else may shorten a file while a program reads it. The kernel uses the old
// size until the answer to a READ is shorter than asked for. It takes the new size from
// that answer, unless a notification of content or another short answer came after it
// sent the READ. In that case it shows NULs up to the old size. So an answer that finds
// the end of the content
//
//	while a READ of an earlier part is in flight   comes after that one's
//	while a notification of content is under way   is EIO, once the notification has arrived
//	to what such an EIO had the kernel ask again   comes as it is
//	otherwise                                      comes as it is
//
// Only a read-ahead READ fails so: the kernel asks again when a program needs the part,
// and has the notification by then. That a notification has arrived is known only when
// its call returns, and it does not return before the READs of that time are answered,
// because they have their pages locked. So the answer waits for some time instead.
// None of this applies to reads past the page cache (O_DIRECT).
package inflight
