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
//   - A Write changes nothing of another tenant than the one it is given.
//   - After an error, other than [ErrNotFound], a transaction can only be left:
//     nothing more is asked of it, and Write fails whatever its function returns.
//   - A visit does not use the transaction that it is a visit of: an engine may be
//     busy with its rows.
//   - A record names only content that is on the disk already, so content comes
//     before its record and goes after it. What cannot be listed is in the [Ledger]
//     before it comes and until it is gone.
//   - No step finds what belongs to another tenant, where it is given one:
//     [ErrNotFound].
//   - Work is claimed by one owner at a time ([Claims]), and nobody else ends it.
//   - What a call asks of an engine does not grow with its answer: a step that is
//     needed for each of many has a form for all of them.
//   - An id that clients see is not given out again. Those of nodes, pages and
//     media are at most [MaxID].
//
// # Locks
//
// An engine takes the lock of a change's tenant first of all. Changes of different
// tenants may run side by side. A change of [AllTenants] runs alone:
//
//   - what is common to all: the maintenance window, the service's secrets, a new
//     tenant, and the first start, which makes the tenant default and its account;
//   - the removal of a tenant, whose content another tenant's record may name;
//   - what no record may change under: a sweep of content, the moment of a backup;
//   - what brings client.env up to date, which is for an account of any tenant.
//
// The package itself has no locks. What [Store.Read] and [Store.Write] are given
// must not call Write: it would wait for itself.
package store
