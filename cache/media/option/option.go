package option

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/disk"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/localname"
	"paperfs/remote"
	"paperfs/remote/clock"
)

// Service is the part of the publication service that the media store uses. Errors are
// *remote.Error.
type Service interface {
	UploadFile(ctx context.Context, parent int64, name string, content remote.Content) (remote.Upload, error)
	CreateDirectory(ctx context.Context, parent int64, name string) (int64, error)
	// GetTreeIfChanged returns remote.ErrUnchanged if the tree still matches the validator
	// known.
	GetTreeIfChanged(ctx context.Context, known remote.Validator) (remote.MediaTree, remote.Validator, error)
	Answers(ctx context.Context) error // nil if the service itself (not a proxy) answers, and accepts this account
	AskNow()                           // the next call asks the service, even if it was away a moment ago
	// Turn waits for the request budget of all these calls. With the context that it returns they
	// do not wait for it.
	Turn(ctx context.Context, ops ...*remote.Operation) (with context.Context, end func(), err error)
	Offers() (offers remote.Offers, known bool)
	MoveFile(ctx context.Context, id, parent int64, name string, over remote.Version) (now int64, err error)
	MoveDirectory(ctx context.Context, id, parent int64, name string, replace bool) error
	DeleteFile(ctx context.Context, id int64) error
	DeleteDirectory(ctx context.Context, id int64) error
	Download(ctx context.Context, address string, part remote.Part) (*remote.Received, error)
}

// Options of a Store.
type Options struct {
	Service Service
	State   journal.State
	TTL     time.Duration // how long a GetTree answer stays fresh; 0 = 5 minutes
	// Lasts returns for how long the tree of a GetTree that began at a time stays fresh, given TTL; nil: TTL.
	Lasts       func(fetched time.Time, ttl time.Duration) time.Duration
	StrictTTL   time.Duration   // the same for operations that must not overlook a change by others; 0 = 10 seconds, negative = never fresh
	Names       localname.Names // which names stay on this machine
	AllowDelete bool            // the mount may delete at the service
	Quota       int64           // limit in bytes for content that is not at the service; 0 = no limit
	Reserve     int64           // bytes of disk space that writes and the cache leave free; 0 = 256 MiB, negative = none
	ReadOnly    bool            // nothing is sent: the queue waits for a mount that may write
	Paused      bool            // the queue waits for Start
	CopyBeside  bool            // content that would replace a version of others unseen gets another name and is published
	WriteBack   bool            // a close queues the content and returns at once
	Transfers   int             // parallel uploads from the queue; 0 = 4
	Debounce    time.Duration   // with WriteBack, how long closes must pause before the queue starts to send, up to a limit; 0 = 100 ms, negative = none
	Linger      time.Duration   // delay before an empty file is sent, since its creator may still write or remove it; 0 = 1 second, negative = none
	CacheSize   int64           // limit in bytes for cached content; 0 = 10 GiB, negative = no limit
	Now         func() time.Time
	Slept       func() time.Duration // total time the machine was suspended, which Now does not count; nil: clock.Slept
	Log         *slog.Logger
	// Report receives failures that no caller waits for. op is the operation ("upload"), path
	// the file below media/, id the service's id or 0. It is called without locks.
	Report func(op, path string, id int64, err error)
	// Own opens the file in which a service in this process has the content of the media file with an
	// id, if that has the SHA-256. It returns an error if there is no such file, as for small content.
	// nil: the service is elsewhere.
	Own func(id int64, sha256 [32]byte) (*os.File, error)
	// OwnPDF is Own for the PDF that a paper has its pages from. It reads all of the file.
	OwnPDF func(paper int64) (f *os.File, sha256 string, err error)
	// Kept is what such a service keeps of what was deleted, if that is on the disk of the spool: it makes
	// room before a write is refused. It is asked under locks, and waits for nothing of the store. nil: nothing.
	Kept []disk.Cache
	// SentPDF returns the PDF last sent for a paper, and when it was written, "" if there is none. nil: no paper has
	// one.
	SentPDF func(paper int64) (sha256 string, size int64, written time.Time, err error)
	// PDFPath returns where a PDF is meant for now that was meant for path: at its paper or, if that is to be created, in its
	// category dir, which others may have renamed or moved. gone says that these are not there any more, taken that another paper is
	// where it was to be created. It is asked under locks, and waits for nothing. nil: nothing is renamed.
	PDFPath func(paper, dir int64, path string) (now string, gone, taken bool)
	// PinnedPDFs are the SHA-256 digests of sent PDFs, by paper. The content cache keeps them
	// regardless of its limit. Store.PinPDFs changes them.
	PinnedPDFs map[int64][]string
	// Mended is called when an upload or mkdir from the queue succeeds, in case Report was told
	// of an earlier failure. It is called without locks and may be nil.
	Mended func(op, path string)

	Pause func(attempt int, err error) time.Duration // between attempts; set by tests
	Free  func(dir string) (int64, error)            // free disk space; set by tests
}

const (
	DefaultTTL       = 5 * time.Minute
	DefaultStrictTTL = 10 * time.Second

	defaultTransfers = 4
	DefaultLinger    = time.Second
	defaultDebounce  = 100 * time.Millisecond
	defaultCacheSize = 10 << 30
)

func (o *Options) SetDefaults() {
	o.TTL = cmp.Or(o.TTL, DefaultTTL)
	if o.Lasts == nil {
		o.Lasts = func(_ time.Time, ttl time.Duration) time.Duration { return ttl }
	}
	o.StrictTTL = cmp.Or(o.StrictTTL, DefaultStrictTTL)
	o.Reserve = cmp.Or(o.Reserve, disk.DefaultReserve)
	o.Debounce = cmp.Or(o.Debounce, defaultDebounce)
	o.Linger = cmp.Or(o.Linger, DefaultLinger)
	o.Transfers = cmp.Or(max(o.Transfers, 0), defaultTransfers)
	o.CacheSize = cmp.Or(o.CacheSize, defaultCacheSize)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Pause == nil {
		o.Pause = cause.PauseAfter
	}
	if o.Free == nil {
		o.Free = disk.Free
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Slept == nil {
		o.Slept = clock.Slept
	}
	if o.PDFPath == nil {
		o.PDFPath = func(_, _ int64, path string) (string, bool, bool) { return path, false, false }
	}
	if o.Mended == nil {
		o.Mended = func(string, string) {}
	}
	if o.Report == nil {
		o.Report = func(string, string, int64, error) {}
	}
}
