// Package describe says what a node of the mount is: what `paperfs stat` prints and what the
// extended attributes user.paperfs.* hold.
//
// A [Description] is that, and a [Describer] a node that has one. A node that embeds [Described]
// in place of a bare inode shows it as extended attributes.
//
// Invariants: a description asks the service nothing, and is made each time that somebody asks. There are no
// locks here; a Describer takes its own.
package describe
