package draft

import (
	"log/slog"
	"time"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/disk"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/spool"
)

// Options of a Set.
type Options struct {
	State    journal.State
	Spools   *spool.Dir
	Failures *failed.Store
	Contents *contentcache.Cache // receives sent content
	Room     *disk.Room
	Sound    *disk.Soundness
	Progress *spool.Progress // of uploads
	Names    localname.Names // a path with such a name is temporary

	Senders int                                          // parallel uploads of queued PDFs
	Pause   func(failures int, last error) time.Duration // between attempts
	Now     func() time.Time
	Log     *slog.Logger

	Ino func() inode.Ino // returns an unused inode number
	// Enter registers background work and fails once the mount has ended. Leave ends the work.
	Enter func() error
	Leave func()
	// Tried is called after an attempt whose outcome concerns the whole queue: with nil after a
	// success. It is called without locks.
	Tried func(err error)
	// SentPDF returns the PDF last sent for a paper, "" if there is none. nil: no paper has
	// one.
	SentPDF func(paper int64) (sha256 string, size int64, err error)
}
