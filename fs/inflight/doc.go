// Package inflight keeps notifications to the kernel from waiting in the kernel.
//
// A notification of an entry waits for the lock of its directory, and one of a listing for the
// listing's pages. Neither wait can be interrupted: a mount that is killed during one can neither
// end nor be unmounted. A request that this process has yet to answer may hold the lock or the
// pages. So [FS] delays a notification while such a request is in flight, and its [Table] has
// those requests:
//
//	request             in flight in                 delays notifications of
//	LOOKUP, READDIR(PLUS) the directory              its entries, its listing
//	CREATE, MKNOD, MKDIR, SYMLINK, LINK, UNLINK, RMDIR
//	                    the directory                its entries, its listing
//	RENAME              both directories             their entries and listings
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
// request waits for nothing, but the notification may wait for the request. The content of files
// has no notifications: the bytes of an inode change only by writes that the kernel sends.
//
// Lock: Table.mu, a leaf.
package inflight
