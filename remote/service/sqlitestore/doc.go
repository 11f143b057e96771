// Package sqlitestore stores the service's records in one SQLite database: it implements
// [store.Store]. It can also read a database without changing a file.
//
// # Types
//
//   - [Store] is an open database: several connections for reading, one for changes.
//   - conn is a connection with its prepared statements; pool holds the idle ones.
//   - changes runs changes one after another. A batch is a transaction with one or more
//     of them.
//   - tx is a transaction, a [store.Writer]. What it asks as PostgreSQL does is in package
//     records; the rest is in one file per subject.
//   - [Strict] makes the store enforce rules that only other engines depend on.
//   - [Inspect], [ReadPassive] and [Keys] read a database without changing a file; the
//     table at readPassive shows how.
//
// # Invariants
//
//   - A commit that has returned is on the disk: WAL mode with synchronous=FULL.
//   - A read sees one state and does not wait for changes of this process.
//   - Changes use one connection, in transactions that begin IMMEDIATE. Changes that wait
//     for each other share a commit, each with a savepoint: a failed change does not undo
//     the others, and none returns before the commit.
//   - Another process, such as `paperfs admin`, may change the same database. Each waits
//     for the other, so nothing is cached beyond a transaction.
//   - A connection that may be inside a transaction is not reused.
//   - Close leaves one file: everything is in the database itself.
//   - Only [Open] changes the schema, after making a copy. It rejects a newer schema.
//
// # Locks
//
// In this order:
//
//	changes.mu          one change at a time, held until after its commit
//	SQLite's own lock   one writing process at a time, from BEGIN to the commit
//	a place in the pool [store.Readers] at a time
//	pool.mu             the idle connections; held while one is closed
//
// The function of a change runs under the first two. It may call [Store.Read], which takes only
// the others. A change within a change deadlocks, and so may a read within a read.
package sqlitestore
