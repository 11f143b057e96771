// Package datasync has SQLite sync files by fdatasync.
//
// A commit into the write-ahead log mostly overwrites what the log has room for. Then
// only the file's time has changed beside the data, and fsync, which SQLite's driver
// calls here, writes that, too: another block, and with a journal a commit of that. SQLite
// calls fdatasync where it was compiled to know of it. All that is needed to read the data
// again is as durable: fdatasync writes a new length.
//
// A virtual file system, in SQLite's sense, stands before the usual one and replaces the
// sync of the files that it opens. Connections with and without it can have one database
// open at the same time, in one process, too: they share the locks of the usual one.
package datasync
