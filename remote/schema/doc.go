// Package schema brings the schema of a SQLite database up to date, after a copy, and copies
// databases. The state of a mount and the data of a service use it.
//
// [Migrate] does the first, by the steps of a file system of migrations, and [Copy] the second.
//
// # Invariants
//
//   - A database that a newer paperfs wrote is refused ([NewerError]) and left
//     as it is.
//
//   - A migration takes effect as a whole or not at all, and the database that
//     was there before stays beside it as a copy.
//
// There are no locks: who calls has the directory locked (package dirlock).
package schema
