// Package plan tells what a rename asks of the service, and refuses what cannot be.
//
// A [Rename] is what somebody asks for, [Rules] are what the mount allows, and Way is the answer:
// the row of the table of renames in the documentation of package media. [Visible] lists what becomes
// visible with a directory that leaves scratch, or refuses it.
//
// Invariants: it knows the tree and nothing else, changes nothing and asks nothing. It has no
// locks: who asks holds the one of the nodes (Store.mu).
package plan
