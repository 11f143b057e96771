// Package journal writes the media store's rows to the account's database, and the other
// records that survive a kill.
//
//	table    rows of inodes and names, written in few transactions after the tree in memory changes
//	unknown  names at the service whose last upload has an unknown outcome
//	run      whether the last run ended or was killed
//	ballast  a file that reserves space for the table on a full disk
//
// WaitWritten returns when changes survive a kill, WaitSynced when they survive a power loss.
// All share the lock Table (see package lock).
package journal
