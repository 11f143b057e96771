// Package localname knows the names that stay on this machine: what programs
// use on the way to a real name, what browsers call a download that is not
// finished, and what no publisher means.
//
// Names is what a mount decides by: the list of patterns that count for every
// program, those that the user adds, SQLite's files beside a database, and names
// that some programs use and others mean. Letters of patterns count in any case,
// as the service has names that differ in nothing else for one.
//
// SQLite's X-journal, X-wal and X-shm go with the content of X on this machine: who
// shows another content under that name takes them away first, or SQLite would play
// them into that and damage it.
//
// It decides on a name that is new. A name that the service has is published,
// whatever it looks like. Nothing here takes a lock.
package localname
