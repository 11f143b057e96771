// Package schema migrates the schema of a SQLite database ([Migrate]) and copies databases
// ([Copy]). The state of a mount and the data of a service use it.
//
// Migrate copies an older database, and then takes the steps of a file system of migrations.
//
// # Invariants
//
//   - A database that a newer paperfs wrote is refused ([NewerError]) and not changed.
//
//   - A migration takes effect as a whole or not at all. A copy of the old database stays
//     next to it.
//
// There are no locks: the caller holds the lock of the directory (package dirlock).
package schema
