package document

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"sync"
	"time"

	"paperfs/remote"
)

// Service is what the cache asks of the service. *remote.Client is one.
type Service interface {
	GetPaperStructure(ctx context.Context, id int64, text bool) ([]byte, error)
	GetLinks(ctx context.Context, id int64) ([]byte, error)
	GetFlipbookOrdersByType(ctx context.Context, id int64, checkoutType string) ([]byte, error)
	GetNumberOfPageviewsPerDay(ctx context.Context, id int64, from, to time.Time) ([]remote.DayCount, error)
	GetNumberOfVisitorsPerDay(ctx context.Context, id int64, from, to time.Time) ([]remote.DayCount, error)
	GetSetting(ctx context.Context, id int64, name string) (string, error)
	SetSetting(ctx context.Context, id int64, name, value string) error
	GetSettingDescriptions(ctx context.Context) ([]byte, error)
	SearchPapersWithHiearchyByContent(ctx context.Context, query string, category int64) ([]byte, error)
	SearchPapersByContent(ctx context.Context, query string, categoryOrPaper int64) ([]byte, error)
	SearchPapersByCustomFields(ctx context.Context, category int64, criteria []remote.FieldCriterion) ([]byte, error)
	GetProcessingStatus(ctx context.Context, guid string) (status remote.JobStatus, reason string, err error)
	GetProcessingPapers(ctx context.Context) ([]remote.Processing, error)
	Turn(ctx context.Context, ops ...*remote.Operation) (with context.Context, end func(), err error)
	ProcessPDF(ctx context.Context, paper int64, options string, pdf remote.Content, older ...string) (remote.Job, error)
	Download(ctx context.Context, address string, offset int64) (io.ReadCloser, error)
	GetCustomFieldDefinitions(ctx context.Context) ([]remote.Field, error)
	GetCustomFieldValue(ctx context.Context, id int64, name string) (value string, null bool, err error)
	SetCustomFieldValue(ctx context.Context, id int64, name, value string) error
	CreatePreviewToken(ctx context.Context, id int64, minutes int, ip string) (token string, err error)
}

// Options of New. Service and State are needed.
type Options struct {
	Service Service
	State   interface{ DB() *sql.DB } // tables of migration 0003_library.sql
	Saved   string                    // the file that keeps answers between mounts, "" for none; with it, Close is needed
	Bytes   int64                     // bound of the answers in memory, or of all but the newest; 0 stands for DefaultBytes
	TTL     time.Duration             // age up to which a document or value is served unasked; 0 asks each time
	// PublicURL is what preview links begin with. Where it is empty they begin
	// with the scheme and host of BaseURL, the service's address.
	PublicURL, BaseURL string
	// PDFOptions are the xmlOptions of ProcessPDF; empty for the service's defaults.
	PDFOptions string
	// SentPDF is told which PDFs that were sent for a paper are to be kept, none once it is no
	// more; nil: nobody is told. It must not call back.
	PinPDFs func(paper int64, sha256 []string)
	Now     func() time.Time     // nil stands for time.Now
	Slept   func() time.Duration // how long the machine was suspended, which Now's times leave out; nil stands for clock.Slept
	Log     *slog.Logger         // nil stands for slog.Default
}

// The lists change only with the service's version or by an administrator, and
// a refresh forgets them as well.
const (
	settingListTTL = 24 * time.Hour
	fieldListTTL   = time.Hour
)

// Cache is safe for use by many goroutines.
type Cache struct {
	service Service
	db      *sql.DB
	ttl     time.Duration
	public  string // what preview links begin with, without a trailing slash
	options string // of ProcessPDF
	now     func() time.Time
	log     *slog.Logger

	documents *memory
	// lists holds the setting and field lists apart, so that no amount of
	// documents pushes out what every listing of a paper needs.
	lists *memory
	saver saver
	jobs  pollSchedule
	sends sendOrder

	pinning sync.Mutex // held over reading what sentPDF is told, and telling it
	pinPDFs func(paper int64, sha256 []string)
	damaged Damaged // nil: nobody is told
}

// Damaged is told of a PDF that the service could not make pages of, before an older one is
// the paper's again.
type Damaged func(paper int64, pdf Source, reason string) error

// Drop forgets what is held of one paper or category. Changing its address or
// deleting it calls for that.
func (l *Cache) Drop(id int64) {
	l.documents.forget(func(k key) bool { return k.id == id })
}

// DropAll forgets everything that the service can be asked for again: the
// lists too, but no preview link and no job. Moving a category calls for it,
// since settings are inherited.
func (l *Cache) DropAll() {
	all := func(key) bool { return true }
	l.documents.forget(all)
	l.lists.forget(all)
	l.jobs.forget()
}
