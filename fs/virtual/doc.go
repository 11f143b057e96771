// Package virtual has the building blocks of generated nodes: directories whose names
// come from a Source, documents that are fetched when opened, value files that work as
// in sysfs, and symlinks.
//
// A [Dir] gets names and nodes from its [Source]. A [Document] fetches its content when it
// is opened. One write changes a [Value]. A [Symlink] computes its target when it is read.
// All nodes of a mount share one [Env]; [About] says which thing of the service a node
// stands for. A directory in which programs can create or remove nothing embeds [Closed].
// [Read] and [Change] wait for the service, and stop waiting when a signal ends the caller.
//
// The kernel caches nothing that can go stale. It fetches the attributes of a file each
// time, because the size is known only together with the content.
//
// The locks of this package are leaves: they guard single fields, and no call is made
// under them.
package virtual
