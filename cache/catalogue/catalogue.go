package catalogue

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"paperfs/cache/failure"
	"paperfs/cache/notify"
	"paperfs/remote"
)

// Service is the part of the service that a catalogue calls; *remote.Client implements it.
// GetAllPapers visits the nodes in document order. A node with Parent 0 starts the tree;
// if it appears a second time, the answer was interrupted and starts over.
type Service interface {
	GetAllPapers(ctx context.Context, id int64, visit func(remote.Node) error) error
	// GetAllPapersIfChanged returns remote.ErrUnchanged if known still identifies the
	// current tree.
	GetAllPapersIfChanged(ctx context.Context, id int64, known remote.Validator, visit func(remote.Node) error) (remote.Validator, error)
	GetPaperIDFromUrl(ctx context.Context, url string) (id int64, found bool, err error)
	GetPaperUrlFromID(ctx context.Context, id int64) (string, error)
	CreateCategory(ctx context.Context, parent remote.Node, name, urlName string) (int64, error)
	CreatePaper(ctx context.Context, parent remote.Node, name, urlName string) (int64, error)
	MovePaper(ctx context.Context, id, destination int64) error
	RenamePaper(ctx context.Context, id int64, name string, destination int64) error
	Offers() (o remote.Offers, known bool)
	ChangePaperUrl(ctx context.Context, id int64, newURL string) error
	SetPublicationPeriod(ctx context.Context, id int64, p remote.Period) error
	ClearPublicationPeriod(ctx context.Context, id int64) error
	DeletePaper(ctx context.Context, id int64) error
	// Turn waits for the request budget of all these calls. With the context that it returns they
	// do not wait for it.
	Turn(ctx context.Context, ops ...*remote.Operation) (with context.Context, end func(), err error)
}

// State remembers the root between mounts; *state.State implements it.
type State interface {
	Value(key string) (string, bool, error)
	SetValue(key, value string) error
}

// DefaultTTL is the age at which a catalogue is refreshed in the background.
const DefaultTTL = 5 * time.Minute

// Options of a catalogue. Only Service is required.
type Options struct {
	Service Service
	RootURL string        // address of the root, "" means /
	RootID  int64         // if not 0, used instead of RootURL
	TTL     time.Duration // 0 means DefaultTTL; negative: the tree is always due for a refresh
	// Lasts returns at which age a tree that was fetched at a time is refreshed, given TTL; nil: at TTL.
	Lasts func(fetched time.Time, ttl time.Duration) time.Duration
	// RootLimit bounds the check of the root, because the user waits for it; 0 means
	// DefaultRootLimit.
	RootLimit time.Duration
	// Language returns the setting language of a category, "" if it cannot be read. nil: all is English.
	Language func(ctx context.Context, category int64) string
	Saved    string // the file that keeps the tree between mounts, "" for none
	Now      func() time.Time
	Slept    func() time.Duration // total time the machine has been suspended, which Now does not count; nil: clock.Slept
	Log      *slog.Logger
	State    State // nil: the root is looked up at each mount
	// Report is called for each record of the service that the tree leaves out or cannot
	// show in full, once for as long as that lasts. The catalogue holds locks: Report must
	// not call back. nil: no reports.
	Report func(error)
	// Changed is called after each change of the tree, in order, from one goroutine that
	// holds no lock. It is not called for the first tree, nor after Close has returned. It
	// must not call Close.
	Changed func(old, new *Snapshot, d Diff)
}

// Catalogue is the tree of one account. It is safe for concurrent use.
type Catalogue struct {
	o      Options
	opened time.Time
	limits limits
	ctx    context.Context // cancelled by Close; fetches run under it, not under a caller's context
	cancel context.CancelFunc
	work   sync.WaitGroup // all goroutines of the catalogue

	snap   atomic.Pointer[Snapshot] // replaced under install; nil before the first tree
	turn   chan struct{}            // holds a token while one of our own changes is under way
	finds  singleflight.Group
	misses *lru.Cache[string, struct{}] // keys that FindID and FindURL have not found since the last fetch

	install   sync.Mutex // guards the replacement of snap, and:
	recording bool       // a fetch is under way
	recorded  []change   // our own changes since that fetch began
	reported  failure.Oddities

	mu       sync.Mutex // guards what follows
	rootID   int64      // 0 if unknown
	fetches  fetches
	changed  func(old, new *Snapshot, d Diff)
	replaced []retired // for Recent, oldest first

	notices *notify.Queue // queued calls of changed
	dirty   notify.Bell   // signals that the snapshot must be saved
}

// retired is a replaced tree that Recent can still return.
type retired struct {
	tree  *Snapshot
	timer *time.Timer // removes it from replaced
}

// Peek returns the current snapshot, or nil if there is none yet. It makes no requests.
func (c *Catalogue) Peek() *Snapshot { return c.snap.Load() }

// Edition returns the edition of a paper, and when the fetch of the tree that has it began. It is 0 if unknown: so are
// those of a saved tree before a fetch, because a job of the mount before may have ended since.
func (c *Catalogue) Edition(paper int64) (edition remote.Version, fetched time.Time) {
	s := c.Peek()
	if s == nil || !s.fetched.After(c.opened) {
		return 0, time.Time{}
	}
	it, _ := s.item(paper)
	return it.edition, s.fetched
}

// RootID returns the id of the root, or 0 until Connect has succeeded. It changes only if
// the root is deleted and another node gets its address.
func (c *Catalogue) RootID() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rootID
}

// TTL returns the age at which the tree is refreshed in the background, or 0 if every use
// refreshes it.
func (c *Catalogue) TTL() time.Duration { return max(c.o.TTL, 0) }

// OnChange replaces Options.Changed for all later changes.
func (c *Catalogue) OnChange(changed func(old, new *Snapshot, d Diff)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed = changed
}

// Status describes a catalogue.
type Status struct {
	Root       remote.Node // zero, or only its ID, before the first tree
	Nodes      int
	Fetched    time.Time // when the fetch of the current tree began
	Refreshing bool
	LastError  error // of the last fetch; nil if it succeeded
}

// Status returns the current status without a request.
func (c *Catalogue) Status() Status {
	c.mu.Lock()
	status := Status{Root: remote.Node{ID: c.rootID}, Refreshing: c.fetches.running != nil, LastError: c.fetches.err}
	c.mu.Unlock()
	if s := c.Peek(); s != nil {
		status.Root, status.Nodes, status.Fetched = s.Root(), s.Len(), s.Fetched()
	}
	return status
}
