// Package spool keeps content of this machine that the service has not got, in files of
// one directory: what is being written, what waits to be sent, and scratch.
//
// A File is one such content. Its name has the number of its inode and a serial: of
// several of one inode the greatest serial is the newest. A File has no lock: the lock of
// the body, or draft, that has it guards it (see package lock). A Content is a File, or
// other content, on its way to the service.
//
// The directory outlives the process. Left and Found tell the next mount what is there; a
// copy that was being made and the content of a removed file are marked by the ends of
// their names, and go.
package spool
