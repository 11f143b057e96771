// Package state stores what must outlive a mount: one directory and one SQLite database
// for each account of a service, used by one mount at a time.
//
// The directory is below the XDG state directory and holds every byte that may not be on
// the service yet. Data that can be fetched again belongs below the cache directory
// (State.CacheDir).
//
// State is an account's open directory and database, Dirs are their paths, and Holder is
// the mount that has locked them. Package durable implements the schema of the database and the
// lock.
//
// Invariants:
//
//   - One mount at a time has an account: Open takes the lock before it opens the
//     database, and Close releases it last. The kernel releases it if the process ends.
//   - Committed transactions survive a power cut, except those of Unsynced until the
//     next Sync.
//   - Once a part of the directory is found removed or replaced (Whole, at each commit and
//     close), or the disk has failed, nothing is committed any more. The next Open begins
//     with what is there.
//   - A database that a newer paperfs has written is left unchanged.
//
// Locks: the database has one connection, which a transaction holds until it ends. The
// statements that Unsynced has prepared belong to that connection and to its current user.
// State.mu is held for a moment, and no other lock is taken while it is held.
package state
