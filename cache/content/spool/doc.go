// Package spool stores content that the service does not have in the files of one directory:
// content that is being written or queued, and scratch.
//
// A File is one such content. Its name is its serial, which no other spool ever had; the row of an
// inode says which spools are its own. A File has no lock of its own: the Body that owns it guards it
// (see package lock). A Content is a File, or other content, that is being sent to the service. A sealed File is never
// written again: a service in this process may have made it its own (Seal). What a File lacks is older content that comes
// while programs write over it.
//
// The directory survives the process. Leftovers and Found tell the next mount what it contains.
// Name suffixes mark unfinished copies and the content of removed files, which the next mount
// removes.
//
// The row records the length of content that only this machine has. Queued content with another
// length, and scratch that is shorter, is damaged: the machine lost power, or someone changed the
// spool. What is left moves to failed/; an empty entry there reports content that is missing
// altogether. So a write to scratch raises the recorded length after it, and a truncation lowers it
// before. Small queued content has a copy in the database, and each start restores a spool that
// differs from it: the disk may have lost power without the machine.
package spool
