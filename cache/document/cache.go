package document

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"sync"
	"time"

	"paperfs/cache/notify"
	"paperfs/remote"
)

// Service is the part of the service that the cache calls; *remote.Client implements it.
type Service interface {
	GetPaperStructure(ctx context.Context, id int64, text bool) ([]byte, error)
	GetLinks(ctx context.Context, id int64) ([]byte, error)
	GetFlipbookOrdersByType(ctx context.Context, id int64, checkoutType string) ([]byte, error)
	GetNumberOfPageviewsPerDay(ctx context.Context, id int64, from, to time.Time) ([]remote.DayCount, error)
	GetNumberOfPageviewsPerPage(ctx context.Context, id int64, from, to time.Time) (pages []remote.PageCount, address string, err error)
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
	Download(ctx context.Context, address string, part remote.Part) (*remote.Received, error)
	GetCustomFieldDefinitions(ctx context.Context) ([]remote.Field, error)
	GetCustomFieldValue(ctx context.Context, id int64, name string) (value string, null bool, err error)
	SetCustomFieldValue(ctx context.Context, id int64, name, value string) error
	MediaChanged() time.Time
	CreatePreviewToken(ctx context.Context, id int64, minutes int, ip string) (token string, err error)
}

// State keeps what is known of papers between mounts: its database has the tables of package state. *state.State implements it.
type State interface {
	DB() *sql.DB
	Value(key string) (value string, set bool, err error)
	SetValue(key, value string) error
}

// Options of New. Service and State are required.
type Options struct {
	Service Service
	State   State
	Saved   string        // the file that keeps answers between mounts, "" for none; if set, the caller must call Close
	Bytes   int64         // limit for the answers in memory, or for all but the newest; 0 means DefaultBytes
	TTL     time.Duration // age up to which an answer is returned without a request; 0 means never
	// PublicURL is the prefix of preview links. If it is empty, their prefix is the scheme
	// and host of BaseURL, the service's address.
	PublicURL, BaseURL string
	// PDFOptions are the xmlOptions of ProcessPDF; empty means the service's defaults.
	PDFOptions string
	// CheckPDFOptions returns why no PDF could be processed with xmlOptions; nil accepts all.
	CheckPDFOptions func(xml string) error
	// PinPDFs is called with all PDFs sent for a paper that must be kept, none after the
	// paper is deleted. It must not call back. nil: not called.
	PinPDFs func(paper int64, sha256 []string)
	// OwnPDF is as in the options of package media.
	OwnPDF func(paper int64) (f *os.File, sha256 string, err error)
	Now    func() time.Time     // nil means time.Now
	Slept  func() time.Duration // total time the machine has been suspended, which Now does not count; nil means clock.Slept
	Log    *slog.Logger         // nil means slog.Default
}

// These lists change only with the service's version or through an administrator, and a
// refresh forgets them too.
const (
	settingListTTL = 24 * time.Hour
	fieldListTTL   = time.Hour
)

// Cache is safe for concurrent use.
type Cache struct {
	service      Service
	state        State
	db           *sql.DB
	ttl          time.Duration
	public       string // prefix of preview links, without a trailing slash
	options      string // of ProcessPDF
	checkOptions func(xml string) error
	now          func() time.Time
	log          *slog.Logger

	documents *memory
	// lists holds the setting and field lists separately, so that documents never evict
	// what every listing of a paper needs.
	lists  *memory
	saver  saver
	jobs   pollSchedule
	sends  sendOrder
	sent   editions
	others others
	began  notify.Bell // tells Watch that a job has begun

	pinning sync.Mutex // held while pinSources reads the PDFs and calls pinPDFs
	pinPDFs func(paper int64, sha256 []string)
	ownPDF  func(paper int64) (f *os.File, sha256 string, err error) // nil: the service is not in this process
	damaged Damaged                                                  // nil: not called
	pathOf  func(paper int64) string                                 // nil: not called
}

// Damaged is called with a PDF that the service could not process, before an older PDF
// becomes the paper's source.pdf again.
type Damaged func(paper int64, pdf Source, reason string) error

// Drop forgets the cached answers for one paper or category. Call it after a change of its
// address or its deletion.
func (c *Cache) Drop(id int64) {
	c.documents.forget(func(k key) bool { return k.id == id })
}

// DropAll forgets all cached answers, including the lists, but no preview link and no job.
// Call it after moving a category, because settings are inherited.
func (c *Cache) DropAll() {
	all := func(key) bool { return true }
	c.documents.forget(all)
	c.lists.forget(all)
	c.jobs.forget()
}
