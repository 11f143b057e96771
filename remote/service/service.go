package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"mime"
	"net/http"
	"net/netip"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"paperfs/remote/durable"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/help"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/processing"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/service/webhook"
)

// Service serves one data directory, or records and content that it shares with other
// services. It is an http.Handler for all its addresses: operations, help pages, pages of
// papers, media files.
type Service struct {
	options  Options
	base     address.Base // options.BasePath
	openAPI  func() ([]byte, error)
	log      *slog.Logger
	now      func() time.Time
	lock     *durable.Lock
	store    store.Store
	contents store.Contents
	queue    *processing.Queue
	janitor  *janitor
	images   *address.Images
	reader   reader.Reader          // of pages, images and media files
	accounts *admission.AccountRate // nil = no limit
	answers  answerCache

	remembered admission.Callers

	addresses *admission.AddressRate // nil = no limit
	reads     *admission.Gate        // all reads; see turns
	searches  *admission.Gate        // searches in all papers
	walks     *admission.Gate        // walks, and other reads of many records
	readers   *admission.Gate        // searches in one paper by strangers
	told      *admission.Gate        // reads of followers
	drawing   *admission.Gate        // larger pictures of pages
	followers *followers
	webhooks  *webhook.Senders

	spoolFrom  int         // size in bytes from which an answer goes through a file
	room       answer.Room // memory for answers when the disk is full
	leastKept  int64       // bytes that a tenant may have kept, whatever it has
	unadmitted int64       // bytes of content kept before good credentials
	strangers  admission.Strangers
	stall      time.Duration // admission.StallLimit
	requests   atomic.Uint64
	metrics    *metrics
	draining   atomic.Bool
	underWay   *admission.Requests
	bodies     *admission.Bounds
	drainLimit time.Duration
}

// How many bytes of memory answers may take when the disk has no room for them: the
// answers to calls, and the answers that anybody may ask for.
const (
	callsRoom     = 64 << 20
	strangersRoom = 16 << 20
)

const pdfCacheDir = "pdf-code"

// Open locks the data directory, migrates it, and removes what a crash left behind. No
// other process may serve the directory. At the first start, Open creates the tenant
// default with the account APIKey. Only client.env has the key of the account.
func Open(o Options) (_ *Service, err error) {
	s := &Service{options: o, base: address.NewBase(o.BasePath), log: o.Log, now: o.Now, unadmitted: defaultUnadmitted, leastKept: defaultLeastKept, strangers: admission.Strangers{Most: admission.StrangerDisk, MostMemory: admission.StrangerMemory}, stall: admission.StallLimit, spoolFrom: answer.SpoolFrom, room: answer.Room{Most: callsRoom},
		bodies: admission.DefaultBounds(), underWay: admission.NewRequests(), drainLimit: admission.DrainLimit, answers: answerCache{Most: mostAnswers}}
	s.openAPI = sync.OnceValues(func() ([]byte, error) { return help.OpenAPI(s.offered("")) })
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.addresses = admission.NewAddressRate(o.AddressRequests)
	s.setPatience(longPatience)
	if o.Apart != nil {
		s.store, s.contents = o.Apart.Store, o.Apart.Contents
	}
	if o.RPM > 0 {
		s.accounts = admission.NewAccountRate(o.RPM, s.shared())
	}
	defer func() {
		if err == nil {
			return
		}
		if o.Apart != nil {
			s.store, s.contents = nil, nil // the caller closes them
		}
		err = errors.Join(datadir.ExplainDamage(o.Data, err), s.Close())
	}()
	if s.lock, err = datadir.Lock(o.Data); err != nil {
		return nil, err
	}
	ctx := context.Background()
	if o.Apart == nil {
		if err = s.openData(ctx); err != nil {
			return nil, err
		}
	}
	if err = errors.Join(s.loadImages(ctx), webhook.Renew(ctx, s.store, s.now())); err != nil {
		return nil, err
	}
	s.metrics = newMetrics()
	s.metrics.registry.MustRegister(stateCollector{s})
	s.followers = newFollowers(s.store)
	s.reads = admission.NewGate(store.Readers, longPatience)
	s.store = &turns{Store: s.metrics.timed(followed{s.store, s.followers}), gate: s.reads}
	s.reader = reader.Reader{Store: s.store, Contents: s.contents, Images: s.images, Base: s.base, Now: s.now, Data: o.Data, Room: &answer.Room{Most: strangersRoom},
		SpoolFrom: s.spoolFrom, Listing: reader.DefaultListing, Paper: reader.DefaultPaper, Orders: &reader.OrderLimits{AddressDay: o.AddressOrders}, Hits: reader.StartHits(s.store, s.log), Searches: s.readers, Pages: reader.NewPages(), Drawing: s.drawing}
	examined := s.examineAtStart()
	s.queue = s.startQueue()
	s.reader.Larger = s.queue.Larger
	s.janitor = startJanitor(s, examined)
	go mime.TypeByExtension("") // it reads the machine's types, for which the first who reads a file would wait
	s.webhooks = webhook.Start(webhook.Config{Store: s.store, Base: s.base, Now: s.now, Log: s.log, Node: s.node(), Follow: s.followers.follow})
	return s, nil
}

// setPatience creates the gates; a call waits for a slot for at most d.
func (s *Service) setPatience(d time.Duration) {
	s.searches, s.walks, s.readers = admission.NewGate(mostSearches, d), admission.NewGate(mostWalks, d), admission.NewGate(mostReaders, d)
	s.told, s.drawing = admission.NewGate(mostTold, d), admission.NewGate(reader.MostLarger, d)
}

// loadImages creates the key of images at the first start; of several services that start
// together, one creates it. A later start only reads it, and waits for no change.
func (s *Service) loadImages(ctx context.Context) error {
	err := s.store.Read(ctx, func(tx store.Reader) (err error) {
		s.images, err = address.FindImages(tx, s.now)
		return err
	})
	if !store.IsNotFound(err) {
		return err
	}
	return s.store.Write(ctx, store.AllTenants, func(tx store.Writer) (err error) {
		s.images, err = address.LoadImages(tx, s.now)
		return err
	})
}

// openData opens the records and the content of the data directory.
func (s *Service) openData(ctx context.Context) error {
	data := s.options.Data
	if _, err := datadir.Check(ctx, data); err != nil {
		return err
	}
	db, err := sqlitestore.Open(ctx, filepath.Join(data, datadir.DatabaseFile))
	if err != nil {
		return err
	}
	s.store = db // after the check: a nil *sqlitestore.Store is not a nil store.Store
	if err := s.openContents(ctx, db); err != nil {
		return err
	}
	if err := datadir.FirstStart(ctx, s.store, data); err != nil {
		return fmt.Errorf("set up %s: %w", data, err)
	}
	return nil
}

func (s *Service) startQueue() *processing.Queue {
	return processing.Start(processing.Config{Store: s.store, Contents: s.contents, Processor: s.processor(), Jobs: s.options.PDFJobs, Scratch: s.options.Data,
		Drop: s.drop, Now: s.now, Log: s.log, Shared: s.shared(), Node: s.node()})
}

// shared returns the store that several services share; nil if everything is in the
// data directory.
func (s *Service) shared() store.Store {
	if s.options.Apart == nil {
		return nil
	}
	return s.options.Apart.Store
}

func (s *Service) processor() pdf.Processor {
	cache := cmp.Or(s.options.PDFCache, filepath.Join(s.options.Data, pdfCacheDir))
	return pdf.Processor{Command: s.options.PDFWorker, Cache: cache, Limits: s.options.PDFLimits}
}

// Close releases the data directory. Shut down the HTTP server first: no request may be
// under way.
func (s *Service) Close() error {
	s.answers.Close()
	if s.reader.Pages != nil {
		s.reader.Pages.Close()
	}
	if s.queue != nil {
		s.queue.Close()
	}
	s.janitor.close()
	if s.webhooks != nil {
		s.webhooks.Close()
	}
	if s.followers != nil {
		s.followers.close()
	}
	s.reader.Hits.Close()
	var err error
	if s.store != nil {
		err = s.store.Close()
	}
	if c, ok := s.contents.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Release())
	}
	return err
}

var _ http.Handler = (*Service)(nil)

// Drain prepares for Close: the service reports that it is not ready, and ends requests
// without good credentials after a while.
func (s *Service) Drain() {
	s.draining.Store(true)
	s.followers.end()
	s.reader.Hits.Write()
	s.underWay.Drain(s.drainLimit)
}

// Drained is closed when, after Drain, no call with good credentials is left: connections
// that are still open belong to clients without them.
func (s *Service) Drained() <-chan struct{} { return s.underWay.Drained() }

// Options of a service. Only Data is required: the zero value of every other field is a default.
type Options struct {
	Data  string           // directory for everything the service keeps; created if missing
	Apart *Apart           // records and content outside of Data; nil = all is in Data
	Now   func() time.Time // clock for dates and periods; nil = time.Now
	Log   *slog.Logger     // nil = slog.Default

	RawTree         bool              // GetAllPapers without the string element around it
	Namespace       string            // of the string element; "" = DefaultNamespace
	CDATA           answer.CDATAStyle //
	DigitImageTypes bool              // image types as 1, 2, 3 in a structure with text
	StrictCodes     bool              // result codes that an operation does not document become ERROR
	NoExtended      bool              // offer only the twenty operations of the interface document
	SearchOutage    bool              // searches answer SEARCH_TEMPORARILY_UNAVAILABLE
	LoopbackOnly    bool              // answers only to localhost, 127.0.0.1 and [::1] (421 otherwise)
	TrustedProxies  []netip.Prefix    // proxies whose Forwarded and X-Forwarded- headers count
	BasePath        string            // path before /V2/ and all other addresses
	BodyLimit       int64             // bytes of a request body; 0 = none for UploadFile, 320 MiB for the rest
	RPM             int               // requests of one account in a sliding minute; 0 = no limit
	AddressOrders   int               // orders of one address a day, a sixth of them a minute; 0 = 30
	AddressRequests int               // requests of one address a second without good credentials; 0 = no limit

	NoRoom    func() bool // for tests: whether to treat the disk as full; nil = ask the disk
	TrashDays int         // days for which the trash keeps content without a record; 0 = 30

	PDFLimit  int64      // bytes of a PDF; 0 = 192 MiB
	PDFQueue  int        // PDFs of a tenant in the queue, with those being processed; 0 = no limit
	PDFJobs   int        // PDFs processed at once; 0 = 2, negative = none: other services process them
	PDFLimits pdf.Limits // limits of the processing of one PDF
	PDFWorker []string   // command that starts a worker, see package pdf; nil = this program with pdf.WorkerArgument
	PDFCache  string     // directory for compiled code; "" = one in Data. A user who can write to it decides what workers run.
}

// Apart are the records and content that several services share. The Data directory of
// each then has only temporary files of its own: answers and uploads under way, compiled
// code. Close of the service closes both stores; an Open that fails closes neither.
type Apart struct {
	Store    store.Store
	Contents store.Contents
	Node     string // name of this service, which marks its jobs; "" = a random name
}

// DefaultNamespace is the namespace that the platform uses by default.
const DefaultNamespace = "http://tempuri.org/"

func (o *Options) namespace() string {
	if o.Namespace == "" {
		return DefaultNamespace
	}
	return o.Namespace
}

const defaultTrashDays = 30

func (o *Options) trashTime() time.Duration {
	days := o.TrashDays
	days = cmp.Or(days, defaultTrashDays)
	return time.Duration(days) * 24 * time.Hour
}

const defaultBodyLimit = 320 << 20

// WriteClientEnv updates PAPERFS_URL and PAPERFS_RPM in client.env of the data
// directory. It does not create the file again: its key is not stored anywhere else.
func (s *Service) WriteClientEnv(url string, rpm int) error {
	// Within a change, because an administrator changes the key of the file within one.
	return s.store.Write(context.Background(), store.AllTenants, func(tx store.Writer) error { return s.updateClientEnv(tx, url, rpm) })
}

func (s *Service) updateClientEnv(tx store.Reader, url string, rpm int) error {
	env, err := datadir.ReadClientEnv(s.options.Data)
	if errors.Is(err, fs.ErrNotExist) {
		s.log.Info("no client.env to update", "dir", s.options.Data)
		return nil
	}
	if err != nil {
		return err
	}
	if env.URL == url && env.RPM == rpm {
		return nil
	}
	env.URL, env.RPM = url, rpm
	return datadir.WriteClientEnv(s.options.Data, env)
}
