// Package media shows the media store: a directory tree whose files are published when
// they are closed, and scratch files that stay on this machine.
//
// All nodes share a tree. dirNode, fileNode and linkNode have only their
// inode's number; they get everything else from the store, which answers lookups and
// attributes from memory. A handle is an open file; package flush judges what its closes
// mean. dirEntries are the entries of an open directory, which an inode.Listing reads.
//
//   - The kernel may cache names, attributes and listings. The goroutine in which the
//     store reports changes sends notices of those that did not come through the kernel.
//   - A directory has one node for as long as the store has the directory.
//   - A signal can end a call that waits for the service. The change still runs to its
//     end, and its outcome is reported then (tree.change).
//
// Locks: those of the notice.Set, of openings and of readers. They are leaves: none is held
// while another of them, or a lock of the store, is taken. The store asks under its locks whether
// programs hold a file that becomes a PDF (tree.held).
package media
