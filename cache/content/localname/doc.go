// Package localname decides which names stay on this machine: temporary names of programs,
// browsers' names for unfinished downloads, and names that nobody means to publish.
//
// Names is the rule of a mount: the patterns for every program (Everywhere), those that the
// user adds, SQLite's sidecar files, and names that are temporary only for certain programs.
// Patterns ignore case, because the service treats names that differ only in case as equal.
//
// SQLite's sidecar files X-journal, X-wal and X-shm belong to the local content of X. Before X
// shows other content, the store removes them; otherwise SQLite would apply them to that
// content and damage it.
//
// The package decides about new names. A name that exists at the service is published, whatever
// it looks like. There is no lock.
package localname
