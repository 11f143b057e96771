// Package spool stores content that the service does not have in the files of one directory:
// content that is being written or queued, and scratch.
//
// A File is one such content. Its name consists of its inode number and a serial; the greatest
// serial of an inode is the newest content. A File has no lock of its own: the Body or Draft
// that owns it guards it (see package lock). A Content is a File, or other content, that is
// being sent to the service.
//
// The directory survives the process. Leftovers and Found tell the next mount what it contains.
// Name suffixes mark unfinished copies and the content of removed files, which the next mount
// removes.
package spool
