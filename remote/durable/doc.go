// Package durable makes changes of names survive a crash of the machine.
//
// [SyncDir] and [MakeDir] are for directories, [Replace] and [Rename] for a file that replaces
// another.
//
// Invariants: at any moment the name leads to all of the old file or to all of the new one, and a
// draft that cannot replace the old file is removed. There are no types and no locks.
package durable
