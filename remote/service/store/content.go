package store

import (
	"context"
	"io"
)

// Contents keeps the bytes of media files, of PDFs and of page images, each under
// a key that it makes. Content never changes: overwriting a file makes new content. Keys are opaque
// to callers, so that small content may be kept elsewhere than large.
type Contents interface {
	// Create begins new content. Until it is committed, the end of ctx may make it
	// fail.
	Create(ctx context.Context) (Draft, error)
	// Open opens so many bytes of content from offset on for reading, which ctx
	// bounds; ErrNotFound if there is none. What is open stays readable to its end
	// when the content is dropped. Seek asks for nothing, so that what is sent over
	// a network is the part that is read.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadSeekCloser, error)
}

// ContentWriter says which content records name.
type ContentWriter interface {
	// KeepContent is called with each key that a record comes to name, in the change
	// that has it name it. ErrGivenUp: it is too late. "" is none.
	KeepContent(key string) error
	// DropContent drops content that no record names after the change: the content
	// goes when the change is on the disk. "" is none.
	DropContent(key string) error
}

// SmallContent is how many bytes a file's content may have to be kept with its
// record, which takes one sync where a file of its own takes three.
const SmallContent = 64 << 10

// Draft is content being written. Write fails with ErrNoSpace where the disk
// has to keep a reserve.
type Draft interface {
	io.Writer
	// Restart forgets what was written.
	Restart() error
	// Commit puts the content on the disk for good and returns its key.
	Commit() (key string, err error)
	// Small returns content of at most SmallContent bytes, never as nil, to be kept
	// with a record in place of Commit; nil for more. It is valid until Restart
	// and Discard, and fails where Write would.
	Small() ([]byte, error)
	// Discard forgets the draft; after Commit it does nothing.
	Discard()
}
