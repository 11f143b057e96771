// Package virtual has the building blocks of generated nodes: directories
// whose names come from a Source, documents that are fetched when opened, value
// files that work as in sysfs, and symlinks.
//
// The kernel caches nothing of them that could go stale: attributes of files
// are asked for each time, because a size is only known once the content is.
package virtual
