// Package plan decides what a rename requires of the service, and refuses impossible renames.
//
// A [Rename] is the requested rename, [Rules] are what the mount allows, and a [Way] is the
// result: a row of the table of renames in the documentation of package media. [Visible] lists
// what becomes visible with a directory that leaves scratch, or refuses that.
//
// Invariants: the package uses the tree only; it changes nothing and makes no request. It has
// no locks: the caller holds that of the nodes (Tree.Mu).
package plan
