// Package store says what the service keeps and what it asks of the place
// where it is kept.
//
// Rules of the service (who may do what, which code an answer carries) are not
// here: a store offers small steps, and the service composes them inside one
// transaction. So the rules are written once for every store.
//
// # Types
//
//   - [Store] keeps the records; package sqlitestore is one. [Reader] and
//     [Writer] are what can be asked and changed within a transaction, made of
//     one interface for each subject, beside the records that it is about.
//   - [Contents] keeps bytes under keys; package filestore is one. [Draft] is
//     content being written.
//
// # Invariants
//
//   - A Read sees one state. A Write takes effect as a whole or not at all, and
//     once it returned nil it is on the disk.
//   - A record names only content that is on the disk already, so content comes
//     before its record and goes after it.
//   - No step finds what belongs to another tenant, where it is given one:
//     [ErrNotFound].
//   - An id that clients see is not given out again. Those of nodes, pages and
//     media are at most [MaxID].
//
// The package has no locks. What [Store.Read] and [Store.Write] are given must
// not call Write: changes run one after another.
package store
