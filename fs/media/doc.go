// Package media shows the media store: a directory tree whose files are
// published when they are closed, with scratch files that stay here.
//
// Nodes hold nothing but their inode's number: what is known of it is asked of
// the store, which answers look-ups and attributes from memory. The kernel may
// keep both for a while; what changes without a call of its own it is told, by
// the goroutine that the store tells changes from.
package media
