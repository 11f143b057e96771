// Package postgresstore stores the service's records in a PostgreSQL database, which any number
// of processes may share. It implements [store.Store] and the [store.Ledger] of contents that are
// stored elsewhere.
//
// # Types
//
//   - [Store] is an open database: connection pools for readers, changes and claims.
//   - sanitizer replaces the characters that PostgreSQL does not accept in text.
//   - tx is a transaction, a [store.Writer]. What it asks as SQLite does is in package
//     records; the rest is in one file per subject. Its pending field collects the work that is
//     done once, at the end of a change.
//   - probedConn is a connection that uses a prober to find out whether PostgreSQL still runs.
//   - turns lets one change of a tenant at a time have a connection.
//   - batch is a transaction with one or more changes of a tenant.
//   - walk and papers visit a tree: one query reads the categories, a few read the papers.
//   - [OlderError] reports a schema that [Migrate] must bring up to date.
//
// # Invariants
//
//   - A Read is one REPEATABLE READ transaction: all of its queries see the state of the
//     first. It does not wait for changes.
//   - A Write runs in one READ COMMITTED transaction: a statement sees everything that was
//     committed before it began. It holds the tenant's lock from its first statement on,
//     so only claims can change the tenant's records concurrently. No statement fails
//     because of another change, and none is retried.
//   - Writes of a tenant that wait for each other in one process share a transaction. Each
//     has a savepoint, so it can be undone alone. Each returns after the commit, with its
//     outcome. A failed one waits too, since it may have read changes that are then lost.
//   - A change updates versions and counts of a tenant once, at its end. Queries for them
//     within the change apply the updates first.
//   - If the outcome of a commit is unknown, the store looks it up by the transaction's
//     number and the run of PostgreSQL. After a crash another transaction may get the same
//     number, so such a commit is never taken for committed. If the lookup fails as well,
//     Write returns a [store.UnsureError]. Nothing may act as if the change were undone:
//     content that a record names is not dropped, even on request.
//   - The number of queries of a call does not grow with the size of its answer. A walk
//     needs one query for thousands of categories.
//   - [Open] never changes the schema. It rejects an older one; neither it nor [Migrate] takes one from before 1.0.0. A newer schema only adds
//     to an older one, so Open accepts it.
//   - After an answer that shows damaged records, a store changes nothing more and fails
//     Ready, until it is opened again. Each process notices that for itself.
//   - A connection that may be inside a transaction is not reused.
//   - If PostgreSQL cannot be reached, a call fails with [store.ErrAway]. If the caller
//     cancels it, it fails with the error of the caller's context.
//   - A call waits for a statement as long as PostgreSQL runs, and no longer: if nothing
//     arrives for a while, the prober opens another connection. So no call hangs on a
//     network or proxy that accepts data, stays silent and keeps the connection open.
//
// # How a change runs
//
// Each line is one round trip:
//
//	begin, the locks              by the first change of a transaction
//	a statement of the change     one after the other
//	updates, savepoint            if another change of the tenant is waiting: it continues
//	updates, commit               otherwise, for all changes
//
// A change alone takes two round trips in addition to its statements; one that joins takes one. A
// transaction has at most a few dozen changes, and none joins after some milliseconds, so that
// other processes get their turn.
//
// # Locks
//
// In this order:
//
//	turns           one change of a tenant at a time, within this process
//	changing        one of a few connections for changes
//	all tenants     an advisory lock: shared for one tenant, exclusive for all
//	the tenant      an advisory lock
//	rows            that the change writes
//	reading         a connection for a reader: a change may also use a Read
//	claiming        a connection for a claim, the ledger, the outcome of a commit, the name
//	                of a run, or Ready; it is never held for long
//
// The advisory locks end with the transaction, even if its process dies: the database notices
// that within half a minute. Claims, and whatever starts or ends a lease, lock only rows of
// job_work and pdf_turn, and skip work that a change has locked. So they wait for no change,
// however long it takes, but for one that only adds the time that a PDF took.
package postgresstore
