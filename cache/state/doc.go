// Package state keeps what has to outlive a mount: one directory and one
// SQLite database for each account of a service, held by one mount at a time.
//
// The directory lies under the XDG state directory and holds every byte that
// may not be at the service yet. What can be fetched again belongs under the
// cache directory (State.CacheDir).
//
// State is an account's open directory and database, Dirs says where they lie, and
// Holder is the mount that has them. Directory, database and lock are what
// packages durable, schema and dirlock make of them.
//
//   - One mount at a time has an account: Open takes the lock before it opens the
//     database, and Close frees it last. The kernel frees it where the process ends.
//   - What the database has committed outlasts the end of the machine. Unsynced is
//     the exception, and Sync ends that.
//   - A database whose file is removed, replaced or emptied while a mount has it is written back:
//     by Close, and by Watch soon after. What is found in its place is set aside.
//   - A database that a newer paperfs has written is left alone.
//
// Locks: the database has one connection, which a transaction holds until it ends.
// What Unsynced has prepared belongs to that connection, and to its user. State.mu and
// connector.mu are held for a moment, and no other lock is taken under them.
package state
