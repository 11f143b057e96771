// Package describe describes nodes of the mount: for `paperfs stat`, and for the extended
// attributes user.paperfs.*.
//
// A [Description] describes a node, and a [Describer] is a node that returns one. A node that
// embeds [Described] instead of a bare inode shows its description as extended attributes.
//
// Invariants: a description costs no request, and is made for each query. The package has no
// locks; a Describer takes its own.
package describe
