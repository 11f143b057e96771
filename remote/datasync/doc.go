// Package datasync makes SQLite sync files by fdatasync.
//
// A commit into the write-ahead log mostly overwrites existing blocks of the log. Then
// only the file's time has changed besides the data. SQLite's Go driver calls fsync, which
// also writes that time: another block, and on a file system with a journal a commit of
// the journal. SQLite itself would call fdatasync if it was compiled for it. fdatasync
// is as durable: it writes everything that reading the data needs, such as a new length.
//
// A virtual file system, in SQLite's sense, wraps the usual one and replaces the sync of
// the files that it opens. Connections with and without it can have the same database
// open at the same time, even in one process: they share the locks of the usual one.
package datasync
