// Package engine opens what services on several machines share: a PostgreSQL database
// and a bucket of an object store. It says in words what is wrong with either.
//
// # Invariants
//
//   - An address has no secret in it ([CheckDatabase], [s3store.ParsePlace]): it is
//     printed, logged, and seen by all users of the machine. Passwords and keys come
//     from the environment, or from files that it names.
//   - Nothing here changes a schema but [Init] and [Migrate].
//   - Those who begin at once are one after the other: the schema under a lock of the
//     database, the first tenant and the key of images in changes of all tenants.
package engine
