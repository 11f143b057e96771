// Package virtual has the building blocks of generated nodes: directories
// whose names come from a Source, documents that are fetched when opened, value
// files that work as in sysfs, and symlinks.
//
// A Dir asks its Source for names and nodes. A Document is fetched when it is opened.
// A Value is written with one write. A Symlink computes its target when it is read.
// All nodes of a mount share one Env; About says what a node stands for. A directory
// in which nothing can be made or removed embeds Closed. Read and Change wait for the
// service, and stop waiting when a signal ends the caller.
//
// The kernel caches nothing of them that can go stale. It asks for the attributes of
// a file each time, because the size is known only once the content is.
package virtual
