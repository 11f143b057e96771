package draft

import (
	"log/slog"
	"time"

	"paperfs/cache/media/contentcache"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/failed"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/localname"
	"paperfs/cache/media/progress"
	"paperfs/cache/media/spool"
)

// Options of a Set.
type Options struct {
	State    journal.State
	Spools   *spool.Dir
	Failures *failed.Store
	Contents *contentcache.Cache // what was sent is kept there
	Room     *disk.Room
	Sound    *disk.Soundness
	Progress *progress.Table // of uploads
	Names    localname.Names // a path with such a name is on the way to a PDF's name

	Senders int                                          // queued PDFs that are sent at a time
	Pause   func(failures int, last error) time.Duration // between attempts
	Now     func() time.Time
	Log     *slog.Logger

	Ino func() inode.Ino // a number that nothing else has
	// Enter counts what goes on in the background, and fails once the mount has ended; Leave ends it.
	Enter func() error
	Leave func()
	// Tried is told how an attempt to send what was queued ended that says something of
	// all of it: nil for a success. It is called without locks.
	Tried func(err error)
	// SentPDF tells which PDF was last sent for a paper, "" where none was; nil: none ever.
	SentPDF func(paper int64) (sha256 string, size int64, err error)
}
