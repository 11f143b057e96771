// Package durable makes changes of names outlast the end of the machine.
//
// [SyncDir] and [MakeDir] do so for directories, [Replace] and [Rename] for a file that takes the
// place of another.
//
// Invariants: the name leads to all of the old file or to all of the new one at any moment, and a
// draft that cannot take its place is removed. There are no types and no locks.
package durable
