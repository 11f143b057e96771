package reading

import (
	"context"
	"errors"
	"os"
	"time"

	"paperfs/remote"
)

// Version is the content that a Source reads, as far as it is known.
type Version struct {
	Address string
	// Place tells people what it is, for Downloads; nil: it is not told.
	Place  func() string
	Size   int64  // exact, in bytes; -1 if unknown
	Most   int64  // the most bytes that it can have; -1: not known
	SHA256 string // in hex; "" if unknown
	// Summed is told the sum and the size of all, if SHA256 is unknown. It may be nil.
	Summed func(sha256 string, size int64)
	// Own opens the file in which a service in this process has all of the content. nil, or an
	// error: there is none.
	Own func() (*os.File, error)
	// Right reports whether that file is known to have the SHA-256 if it was last written at a time; nil: it is not.
	Right func(written time.Time) bool
}

// ErrSuperseded means that the service has another version, and that the part which was to be
// read is not on this machine.
var ErrSuperseded = errors.New("the service has another version of the content, and this part of the old one is not on this machine")

// DamagedError means that the content which the service gave is not that of the version.
type DamagedError struct{ Detail string }

func (e *DamagedError) Error() string { return "the content is damaged: " + e.Detail }

// Service is the service that has the content.
type Service interface {
	Download(ctx context.Context, address string, part remote.Part) (*remote.Received, error)
}

// Keeper has the disk on which content is kept. It calls no method of this package.
type Keeper interface {
	// Find opens whole, verified content. The caller calls release at the end of its use. It returns
	// os.ErrNotExist if the content is not there.
	Find(sha256 string) (f *os.File, release func(), err error)
	// Create creates a file, which is removed again unless Keep gets it.
	Create() (*os.File, error)
	// Take takes room for n bytes. It reports whether there was.
	Take(n int64) bool
	// Give returns room for n bytes.
	Give(n int64)
	// Keep takes over a whole, verified file by its name, and the room that was taken for it; the
	// file stays open. The caller calls release at the end of its use. After an error, nothing has changed.
	Keep(f *os.File, sha256 string, taken int64) (release func(), err error)
}
