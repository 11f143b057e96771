// Package postgresstore keeps the service's records in a PostgreSQL database, which
// any number of processes share: it is a [store.Store], and the [store.Ledger] of
// contents that lie elsewhere.
//
// # Types
//
//   - [Store] is an open database: connections for readers, for changes and for
//     claims.
//   - carrying keeps from PostgreSQL what it refuses of text.
//   - tx is a transaction as the service sees it, a [store.Writer]. Its methods
//     are in one file a subject. What it does once, at its end, is pending.
//   - watched is a connection that asks, by its pulse, whether PostgreSQL is there.
//   - turns lets one change of a tenant at a time have a connection.
//   - batch is a transaction with one change of a tenant or several.
//   - walk and papers visit a tree: the categories come in one query, the papers
//     in a few.
//   - [OlderError] is a schema that [Migrate] has to bring up to date.
//
// # Invariants
//
//   - A Read is one transaction that is REPEATABLE READ: all of it sees the state
//     of its first query. It waits for no change.
//   - A Write is in one transaction that is READ COMMITTED: a statement sees all that
//     was committed before it began. It has the lock of its tenant from its first
//     statement on, so nothing of the tenant changes under it but claims. No
//     statement of it fails because of another one, and none is done again.
//   - Writes of a tenant that wait for each other in one process share a transaction, each
//     with a savepoint, which undoes it alone. Each returns after the commit, with its
//     outcome; one that fails has read what may be lost, and waits, too.
//   - A version or a count of a tenant is raised once by a change, at its end.
//     Who asks for it inside the change has it raised before.
//   - A commit whose outcome is not known is looked up, by the number of its transaction
//     and the run of PostgreSQL: after a crash that number may be another's, so that
//     such a commit is never taken for kept. Where the look fails, too, Write
//     does with a [store.UnsureError], by which it can be looked up later, and nobody
//     may act as if the change were undone: content that a record
//     names is not dropped, whoever asks for it.
//   - No call asks more often where its answer is longer. A walk asks once for
//     thousands of categories.
//   - [Open] never changes the schema. It refuses one that is older. A newer one
//     adds to it, and is used.
//   - A connection that may be inside a transaction is not used again.
//   - Where PostgreSQL cannot be reached, a call fails with [store.ErrAway]. One that its
//     caller ends fails with his context's error.
//   - A statement is waited for as long as PostgreSQL is there, and no longer: where
//     nothing comes for a while it is asked over another connection. So nobody waits for
//     a network or a proxy that takes what is sent, says nothing, and ends no connection.
//
// # How a change runs
//
// Each line is one round trip:
//
//	begin, the locks              by the first of a transaction
//	a statement of its own        one after the other
//	what is raised, savepoint     where another change of the tenant waits: it goes on here
//	what is raised, commit        else, for all
//
// A change alone takes two round trips beside its own, and one that joins takes one. In
// one transaction are a few dozen changes at most, and none joins that is some
// milliseconds old: other processes come in between.
//
// # Locks
//
// In this order:
//
//	turns           one change of a tenant at a time, of this process
//	changing        a connection for a change; there are a few
//	all tenants     an advisory lock: of one tenant shared, of all exclusive
//	the tenant      an advisory lock
//	rows            of what is changed
//	reading         a connection for a reader: a change may read beside itself
//	claiming        a connection for a claim, for the ledger, the outcome of a commit, the
//	                name of a run, or to see whether the database answers: nobody has one
//	                for long
//
// The advisory locks go with the transaction, also where its process is gone: the
// database notices that within half a minute. Claims, and what begins or ends a lease,
// take no lock but of rows of job_work and pdf_turn, and pass over work that a change has
// locked: they wait for none, however long it takes.
package postgresstore
