package store

import (
	"context"
	"io"
)

// Contents stores the bytes of media files, PDFs and page images under keys that it generates.
// Content is immutable: overwriting a file creates new content. Keys are opaque to callers, so an
// implementation may store small content elsewhere than large content.
type Contents interface {
	// Create starts new content. Until Commit, canceling ctx may make the draft fail.
	Create(ctx context.Context) (Draft, error)
	// Open returns a reader of length bytes of content from offset on; ctx bounds the reads.
	// ErrNotFound: no such content. An open reader can be read to its end even after the content
	// is dropped. Seek performs no I/O, so a store on a network transfers only the part that is
	// read.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadSeekCloser, error)
}

// ContentWriter records which content is in use.
type ContentWriter interface {
	// KeepContent must be called with each key that a record starts to name, within the same
	// change. ErrGivenUp: too late. It ignores "".
	KeepContent(key string) error
	// DropContent drops content that no record names after the change. The content is removed
	// once the change is on the disk. It ignores "".
	DropContent(key string) error
}

// SmallContent is the largest size in bytes of a file's content that is stored inside its record.
// That takes one sync; a separate file takes three.
const SmallContent = 64 << 10

// Draft is content being written. Write fails with ErrNoSpace if it would use up the disk's
// reserve.
type Draft interface {
	io.Writer
	// Restart discards what was written so far.
	Restart() error
	// Commit stores the content durably and returns its key.
	Commit() (key string, err error)
	// Small returns content of at most SmallContent bytes (never nil, even if empty), to be
	// stored in a record instead of calling Commit. It returns nil for larger content. The slice
	// is valid until Restart or Discard. Small fails where Write would.
	Small() ([]byte, error)
	// Discard removes the draft. After Commit it does nothing.
	Discard()
}
