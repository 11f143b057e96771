// Package media shows the media store: a directory tree whose files are
// published when they are closed, with scratch files that stay here.
//
// A tree is what the nodes share: dirNode, fileNode, linkNode and specialNode hold
// nothing but their inode's number, and what is known of that is asked of the
// store, which answers look-ups and attributes from memory. A handle is an open
// file; package flush judges what its closes mean. dirEntries are the entries of
// an open directory, which package listing reads.
//
//   - The kernel may keep names, attributes and listings: what changes without a
//     call of its own it is told, by the goroutine that the store tells changes from.
//   - One node stands for a directory for as long as the store has that.
//   - A call that waits for the service can be left by its caller; the change goes
//     on and is told when it is over (tree.change).
//
// Locks: those of the notice.Set, of openings and of readers. Each is held for a
// moment, and takes none of the others and none of the store.
package media
