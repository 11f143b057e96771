// Package inode has what all nodes of the mount share: a number, the attributes that an
// [Owner] fills, a [Description], and what go-fuse lacks for listings, notices and writes.
//
// # Numbers
//
// A thing keeps its number across remounts. [Node] and [Media] number what the service or
// the local media state numbers; a [Virtual] numbers generated names.
//
// go-fuse takes the number for a node's identity. Its layout:
//
//	bit  63     0 (go-fuse uses numbers with bit 63 itself)
//	bits 62..60 the kind of thing
//	bits 59..0  the thing: the service's id, the number in the local media
//	            state, or a hash for generated names
//
// # Descriptions
//
// A [Description] is what `paperfs stat` and the extended attributes user.paperfs.* show; a [Describer]
// is a node that returns one. A node that embeds [Described] instead of a bare inode shows it as
// extended attributes. A description costs no request, and is made for each query.
//
// # Listings
//
// A [Listing] reads an opened directory: the entries of one version of the directory, from any position
// that the kernel asks for. The kernel caches a listing until a notice says that the directory changed.
// So a Listing takes the entries when reading begins, not at open: then entries of an older version reach
// the kernel before the notice that drops them. Positions of two versions differ, so the kernel never
// joins cached entries of one version to entries of another.
//
// # Notices
//
// Notices tell the kernel of changes that did not come through the kernel. The
// kernel caches names, their absence, attributes and listings for a long time, and relies
// on them. [Notices] has the directories of one tree that the kernel has seen. It sends the notices for
// each in a goroutine of its own: a notice waits for the kernel's operations in its
// directory, such as a rename that waits for an upload, and must not hold up the others.
//
// A handler must not send a notice, which would wait for the handler. Nor may a notice be
// sent under a lock that a handler takes.
//
// # Notices that would wait in the kernel
//
// A notice of an entry waits in the kernel for the lock of its directory, and one of a listing for
// the listing's pages. Neither wait can be interrupted: a mount that is killed during one can neither
// end nor be unmounted. A request that this process has yet to answer may hold the lock or the
// pages. So [FS] delays a notice while such a request is in flight:
//
//	request             in flight in                 delays notices of
//	LOOKUP, READDIR(PLUS) the directory              its entries, its listing
//	CREATE, MKNOD, MKDIR, SYMLINK, LINK, UNLINK, RMDIR
//	                    the directory                its entries, its listing
//	RENAME              both directories             their entries and listings
//
// Notices of attributes alone, and those that store content in the kernel's cache, wait for nothing.
//
// Package guard covers the two remaining cases: a request that takes the lock between the check of
// FS and the kernel's, and the directory that an RMDIR removes or a RENAME moves to another
// directory. The kernel locks that directory, too, but sends only its name.
//
// A request that comes while a notice waits must wait until the notice has been sent. Otherwise an
// endless ls would delay notices forever. The request begins when the notice is sent, not when it
// has arrived: in the kernel the request waits for nothing, but the notice may wait for the request.
// The content of files has no notices: the bytes of an inode change only by writes that the kernel
// sends.
//
// # Writes
//
// go-fuse drops the flags of a WRITE and of its descriptor, so [Writes] encodes them in the offset and
// [WriteAt] decodes them.
//
// # Locks
//
// Virtual.mu and inFlight.mu are leaves. Notices.mu is held while the node of a directory is created; under it only
// go-fuse's locks are taken. A Listing has none: go-fuse makes one call of a handle at a time. A
// Describer takes its own.
package inode
