// Package journal is what the media store writes to the account's database, and what
// outlives a kill beside that.
//
//	table     rows of inodes and names, written after the tree in memory has changed, in few transactions
//	tombstones  inodes that were removed and whose rows are not written yet
//	unknown   names at the service whose last upload has an unknown outcome
//	moves     renames of published files that are under way
//	ballast   a file that gives the table room on a full disk
//
// WaitWritten returns when changes outlive the process, WaitSynced when they outlive the
// end of the machine. The locks are in package lock, each with its file or rows.
package journal
