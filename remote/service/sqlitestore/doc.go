// Package sqlitestore keeps the service's records in one SQLite database: it is
// the [store.Store] of the service, and reads databases that it does not serve.
//
// # Types
//
//   - [Store] is an open database: connections that read and one that changes it.
//   - conn is one connection with its prepared statements, pool those that are
//     not in use.
//   - changes runs changes one after another, and a batch of them in one
//     transaction.
//   - tx is a transaction as the service sees it, a [store.Writer]. Its methods
//     are in one file a subject.
//   - [Strict] makes the store as particular as any engine may be.
//   - [Peek], [ReadStill] and [Keys] read a database without changing a file; the
//     table at readStill says how.
//
// # Invariants
//
//   - A commit that returned is on the disk: WAL with synchronous=FULL.
//   - A read is of one state and waits for no change of this process.
//   - Changes go over one connection, in transactions that begin IMMEDIATE. Those
//     that wait for each other share a commit, each with a savepoint of its own:
//     a failed change undoes nothing of the others, and none is answered before
//     the commit.
//   - Another process, such as `paperfs admin`, may change the same database.
//     Each waits for the other, so nothing is remembered beyond a transaction.
//   - A connection that may be inside a transaction is not used again.
//   - Close leaves one file: all that was written is in the database itself.
//   - Only [Open] changes the schema, after a copy. A newer one is refused.
//
// # Locks
//
// In this order:
//
//	changes.mu          one change at a time, held over its transaction and the commit
//	SQLite's own lock   one process that changes at a time, from BEGIN to the commit
//	pool.mu             the connections that are not in use; held over the closing of one
//
// The function of a change runs under the first two. It may use [Store.Read], which
// takes pool.mu alone; a change within a change waits for ever.
package sqlitestore
