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
// # Writes
//
// go-fuse drops the flags of a WRITE and of its descriptor, so [Writes] encodes them in the offset and
// [WriteAt] decodes them.
//
// # Locks
//
// Virtual.mu is a leaf. Notices.mu is held while the node of a directory is created; under it only
// go-fuse's locks are taken. A Listing has none: go-fuse makes one call of a handle at a time. A
// Describer takes its own.
package inode
