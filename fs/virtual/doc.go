// Package virtual has the building blocks of generated nodes: directories
// whose names come from a Source, documents that are fetched when opened, value
// files that work as in sysfs, and symlinks.
//
// A Dir asks its Source for names and nodes; a Document is fetched when it is
// opened; a Value is written with one write; a Symlink tells its target when it is
// read. Env is what all of them share, About what one of them belongs to. Closed is
// embedded by a directory in which nothing can be made or removed. Read and
// Change wait for the service in a way that lets the caller be ended.
//
// The kernel caches nothing of them that could go stale: attributes of files
// are asked for each time, because a size is only known once the content is.
package virtual
