// Package filestore stores contents as files in a directory: media files that are too large for
// their record, PDFs, and page images.
//
// # Types
//
//   - [Store] is the directory, a [store.Contents]. [ReadOnly] returns one for reading only.
//   - draft is content being written, a [store.Draft]: in memory while it is small, then in
//     a file in incoming/ (incoming.go).
//   - handedOver is a draft that is another name of a file of this process: an upload of the
//     mount that the service is embedded in.
//   - [Entry] describes a content, for checks and copies.
//
// # Layout
//
//	id                 the id that ties the contents to their database
//	incoming/KEY       drafts
//	KE/KEY             contents, in a directory for each first byte of the key
//	../trash/DAY/KEY   contents that no record named, by the day of the move
//
// # Invariants
//
//   - Content is immutable, and keys are never reused. A backup may have the same inodes, and so
//     may the caller who handed a file over: it never writes to it again.
//   - A name outside incoming/ that survives a crash has all its bytes: Commit syncs the
//     bytes, then renames the file, then syncs the directory.
//   - The next start removes a draft that a crash left: no caller was told that it is
//     stored.
//   - Content without a record moves to the trash, but only once it is a day old: newer
//     content may be about to get a record. Files with other names stay untouched.
//   - Drafts do not use the reserve of the disk's free space.
//
// There are no locks. A draft belongs to one caller at a time; everything else relies on the file
// system, which renames and removes files atomically.
package filestore
