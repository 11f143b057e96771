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

// Service is what a catalogue asks of the service. *remote.Client is one.
// GetAllPapers visits in document order; a node with Parent 0 begins the tree,
// again where there was one before.
type Service interface {
	GetAllPapers(ctx context.Context, id int64, visit func(remote.Node) error) error
	// GetAllPapersIfChanged returns remote.ErrUnchanged where the tree is the one
	// that known names.
	GetAllPapersIfChanged(ctx context.Context, id int64, known remote.Validator, visit func(remote.Node) error) (remote.Validator, error)
	GetPaperIDFromUrl(ctx context.Context, url string) (id int64, found bool, err error)
	GetPaperUrlFromID(ctx context.Context, id int64) (string, error)
	CreateCategory(ctx context.Context, parent remote.Node, name, urlName string) (int64, error)
	CreatePaper(ctx context.Context, parent remote.Node, name, urlName string) (int64, error)
	MovePaper(ctx context.Context, id, destination int64) error
	ChangePaperUrl(ctx context.Context, id int64, newURL string) error
	SetPublicationPeriod(ctx context.Context, id int64, p remote.Period) error
	ClearPublicationPeriod(ctx context.Context, id int64) error
	DeletePaper(ctx context.Context, id int64) error
}

// State remembers the root between mounts. *state.State is one.
type State interface {
	Value(key string) (string, bool, error)
	SetValue(key, value string) error
}

// DefaultTTL is the age at which a catalogue is refreshed in the background.
const DefaultTTL = 5 * time.Minute

// Options of a catalogue. Only Service is needed.
type Options struct {
	Service Service
	RootURL string        // where the tree begins, "" is /
	RootID  int64         // instead of RootURL where not 0
	TTL     time.Duration // 0 is DefaultTTL, negative is always over
	// RootLimit bounds the look at the root, for which somebody waits; 0 is DefaultRootLimit.
	RootLimit time.Duration
	Saved     string // the file that keeps the tree between mounts, "" for none
	Now       func() time.Time
	Slept     func() time.Duration // how long the machine was suspended, which Now's times leave out; nil: clock.Slept
	Log       *slog.Logger
	State     State // nil: the root is looked up at each mount
	// Report is called for each record of the service that the tree leaves out or
	// cannot show as it is, once for as long as that lasts. Locks are held: it must
	// not call back. nil: no reports.
	Report func(error)
	// Changed is called after each change of the tree, in order, from one goroutine
	// that holds no lock. It is not called for the first tree, and not after Close
	// has returned. It must not call Close.
	Changed func(old, new *Snapshot, d Diff)
}

// Catalogue is the tree of one account. It is safe for use by many goroutines.
type Catalogue struct {
	o      Options
	most   bound
	ctx    context.Context // ends with Close; fetches belong to it, not to callers
	cancel context.CancelFunc
	work   sync.WaitGroup // the goroutines

	snap   atomic.Pointer[Snapshot] // replaced under install, nil until there is one
	turn   chan struct{}            // holds a token while one of our changes is under way
	finds  singleflight.Group
	misses *lru.Cache[string, struct{}] // what FindID and FindURL did not find since the last fetch

	install   sync.Mutex // guards the replacement of snap, and:
	recording bool       // a fetch is under way
	recorded  []change   // our changes since it began
	told      failure.Oddities

	mu       sync.Mutex // guards what follows
	rootID   int64      // 0 while unknown
	fetches  fetches
	changed  func(old, new *Snapshot, d Diff)
	replaced []retired // see Recent

	notices *notify.Queue // calls of changed
	dirty   chan struct{} // the snapshot is to be saved
}

// retired is a tree that was replaced.
type retired struct {
	tree *Snapshot
	end  *time.Timer // lets it go
}

// Peek returns the current snapshot, nil if there is none yet: 0 requests.
func (c *Catalogue) Peek() *Snapshot { return c.snap.Load() }

// RootID returns the id of the root, 0 until Connect has returned without an error.
// It changes only if the root is deleted and another node gets its address.
func (c *Catalogue) RootID() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rootID
}

// TTL is the age at which the tree is refreshed in the background, 0 where it always is.
func (c *Catalogue) TTL() time.Duration { return max(c.o.TTL, 0) }

// OnChange sets what Options.Changed is, for changes from now on.
func (c *Catalogue) OnChange(changed func(old, new *Snapshot, d Diff)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed = changed
}

// Status of a catalogue.
type Status struct {
	Root       remote.Node // only its ID may be known, or nothing
	Nodes      int
	Fetched    time.Time // when the fetch of the current tree began
	Refreshing bool
	LastError  error // of the last fetch, nil where it went well
}

// Status returns the status: 0 requests.
func (c *Catalogue) Status() Status {
	c.mu.Lock()
	status := Status{Root: remote.Node{ID: c.rootID}, Refreshing: c.fetches.running != nil, LastError: c.fetches.err}
	c.mu.Unlock()
	if s := c.Peek(); s != nil {
		status.Root, status.Nodes, status.Fetched = s.Root(), s.Len(), s.Fetched()
	}
	return status
}
