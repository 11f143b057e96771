// Package store defines the records of the service and the interfaces of the engines that store
// them.
//
// A store offers small steps; the service composes them inside one transaction. The rules of the
// service (who may do what, and which code an answer carries) live in the service, so they are
// written once for every store.
//
// # Types
//
//   - [Store] stores the records; packages sqlitestore and postgresstore implement it.
//     [Reader] and [Writer] are the queries and changes within a transaction. Each is made
//     of one interface per subject, declared next to that subject's records.
//   - [Contents] stores bytes under keys; packages filestore and s3store implement it.
//     [Draft] is content being written.
//
// The two engines of records have some queries in common, to the letter. Each still has its own copy:
// their dialects, schemas and migrations differ, and change at different times. Package storetest runs
// the same tests on both.
//
// # Invariants
//
//   - A Read sees one consistent state. A Write takes effect as a whole or not at all;
//     once it has returned nil, the change is on the disk.
//   - A Write changes only the tenant that it is given.
//   - After an error other than [ErrNotFound], the function must leave the transaction
//     without another call. Write then fails whatever the function returns.
//   - A visit callback does not use the transaction that it is called from: the engine
//     may still be reading its rows.
//   - A record names only content that is already on the disk: content is stored before
//     its record and removed after it. Content that cannot be listed is in the [Ledger]
//     from before it is stored until after it is removed.
//   - A step that takes a tenant never finds what belongs to another tenant; it returns
//     [ErrNotFound].
//   - One owner at a time holds a piece of work ([Claims]); only that owner ends it.
//   - The number of queries of a call does not grow with the size of its answer: a step
//     that is needed for many items has a form that takes all of them.
//   - An id that clients see is never reused. Ids of nodes, pages and media are at most
//     [MaxID].
//
// # Locks
//
// An engine takes the lock of the change's tenant before any other lock. Changes of different
// tenants may run concurrently. A change of [AllTenants] runs alone. These are:
//
//   - changes of what all tenants share: the maintenance window, the service's secrets, a
//     new tenant, and the first start, which creates the tenant default and its account;
//   - the removal of a tenant, because another tenant's record may name its content;
//   - work during which no record may change: a sweep of content, the moment of a backup;
//   - updating client.env, which may concern an account of any tenant.
//
// The package itself has no locks. A function passed to [Store.Read] or [Store.Write] must not
// call Write: it would deadlock.
package store
