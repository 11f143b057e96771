// Package filestore keeps contents as files of one directory: media files that
// are too large for their record, PDFs, and the images of pages.
//
// # Types
//
//   - [Store] is the directory, a [store.Contents]. [Look] returns one that is only
//     read.
//   - draft is content being written, a [store.Draft]: in memory while it is
//     small, then a file in incoming/.
//   - [Entry] is a content that lies in a store, for checks and copies.
//
// # Where things lie
//
//	id                 the id that the content has in common with its database
//	incoming/KEY       drafts
//	KE/KEY             contents, in a directory for each first byte of the key
//	../trash/DAY/KEY   contents that no record named, by the day of the move
//
// # Invariants
//
//   - Content never changes, and no key is given twice.
//   - A name outside of incoming/ that survives a crash has all its bytes: the
//     bytes are synced, then the name is made, then its directory is synced. Of
//     a store of [Store.Together] that is true once done has returned.
//   - A draft that a crash leaves goes at the next start; nobody was told that it
//     is kept.
//   - Content without a record goes to the trash a day after it came, not before:
//     what is younger may be about to get one. Files of other names are not
//     touched.
//   - Drafts leave the reserve of the disk's free space alone.
//
// There are no locks. A draft belongs to one caller at a time; all else is left
// to the file system, which moves and removes names as a whole.
package filestore
