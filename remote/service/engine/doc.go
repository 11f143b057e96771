// Package engine opens what services on several machines share: a PostgreSQL database and a
// bucket of an object store. Its errors explain what is wrong with either.
//
// # Invariants
//
//   - Addresses contain no secrets ([CheckDatabase], [s3store.ParsePlace]): they are
//     printed, logged, and visible to all users of the machine. Passwords and keys come
//     from the environment, or from files that it names.
//   - Only [Init] and [Migrate] change a schema.
//   - Concurrent starts run one after the other: the schema changes under a lock of the
//     database, the first tenant and the image key in changes of all tenants.
package engine
