// Package durable keeps what is on a disk whole through a crash of the machine, beside other
// processes, and from one version of paperfs to the next.
//
//   - Names: [SyncDir] and [MakeDir] are for directories, [Replace] and [Rename] for a file that
//     replaces another.
//   - Locks: a [Lock] locks a directory for one process at a time. It is a file of the directory
//     that the kernel locks, so that the lock ends with its process at the latest. The file stays:
//     if it was removed, two holders could lock two files. It names its holder, for messages only.
//   - Commits: [VFS] makes SQLite sync files by fdatasync.
//   - Schemas: [Migrate] migrates the schema of a SQLite database, [CopyDatabase] copies one.
//     Migrate copies an older database, and then takes the steps of a file system of migrations.
//     The caller holds the lock of the directory.
//
// # Invariants
//
//   - At any moment a name leads to all of the old file or to all of the new one, and a draft that
//     cannot replace the old file is removed.
//   - A database that a newer paperfs wrote is refused ([NewerError]) and not changed, and so is one from before the first
//     migration ([OlderError]), which stands for all that were before version 1.0.0.
//   - A migration takes effect as a whole or not at all. A copy of the old database stays next to
//     it.
//
// # Syncs by fdatasync
//
// A commit into the write-ahead log mostly overwrites existing blocks of the log. Then only the
// file's time has changed besides the data. SQLite's Go driver calls fsync, which also writes that
// time: another block, and on a file system with a journal a commit of the journal. SQLite itself
// would call fdatasync if it was compiled for it. fdatasync is as durable: it writes everything
// that reading the data needs, such as a new length.
//
// A virtual file system, in SQLite's sense, wraps the usual one and replaces the sync of the files
// that it opens. Connections with and without it can have the same database open at the same time,
// even in one process: they share the locks of the usual one.
package durable
