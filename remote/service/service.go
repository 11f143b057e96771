package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"paperfs/remote/durable"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
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
	calls    *call.Service // what all calls share
	openAPI  func() ([]byte, error)
	lock     *durable.Lock
	janitor  *janitor
	webhooks *webhook.Senders

	reads   *admission.Gate // all reads; see turns
	readers *admission.Gate // searches in one paper by strangers
	drawing *admission.Gate // larger pictures of pages

	leastKept  int64 // bytes that a tenant may have kept, whatever it has
	draining   atomic.Bool
	drainLimit time.Duration
}

// Options of a service, and Apart, what several services share.
type (
	Options = call.Options
	Apart   = call.Apart
)

// How many long reads run at once. Most calls read for some milliseconds, and these limits leave one of
// store.Readers free for them.
const (
	mostSearches = 4
	mostWalks    = 3
	// mostReaders limits the searches in one paper by its readers, who have no credentials.
	mostReaders = 2
	// mostTold is how many followers at a time read what is new: a change that many wait for leaves the
	// connections to calls.
	mostTold = 2
	// longPatience is how long a call waits for its turn.
	longPatience = 10 * time.Second
)

// strangersRoom is how many bytes of memory the answers that anybody may ask for may take when the disk has no room for them.
const strangersRoom = 16 << 20

const pdfCacheDir = "pdf-code"

// Open locks the data directory, migrates it, and removes what a crash left behind. No
// other process may serve the directory. At the first start, Open creates the tenant
// default with the account APIKey. Only client.env has the key of the account.
func Open(o Options) (_ *Service, err error) {
	s := &Service{leastKept: defaultLeastKept, drainLimit: admission.DrainLimit, calls: call.New(o)}
	s.openAPI = sync.OnceValues(func() ([]byte, error) { return help.OpenAPI(s.offered("")) })
	s.setPatience(longPatience)
	if o.Apart != nil {
		s.calls.Store, s.calls.Contents = o.Apart.Store, o.Apart.Contents
	}
	if o.RPM > 0 {
		s.calls.Accounts = admission.NewAccountRate(o.RPM, s.shared())
	}
	defer func() {
		if err == nil {
			return
		}
		if o.Apart != nil {
			s.calls.Store, s.calls.Contents = nil, nil // the caller closes them
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
	if err = errors.Join(s.loadImages(ctx), webhook.Renew(ctx, s.calls.Store, s.calls.Now())); err != nil {
		return nil, err
	}
	s.calls.Metrics.Registry.MustRegister(stateCollector{s})
	s.reads = admission.NewGate(store.Readers, longPatience)
	s.calls.Watch(s.reads)
	s.calls.Reader = reader.Reader{Store: s.calls.Store, Contents: s.calls.Contents, Images: s.calls.Images, Base: s.calls.Base, Now: s.calls.Now, Data: o.Data, Room: &answer.Room{Most: strangersRoom},
		SpoolFrom: s.calls.SpoolFrom, Listing: reader.DefaultListing, Paper: reader.DefaultPaper, Orders: &reader.OrderLimits{AddressDay: o.AddressOrders}, Hits: reader.StartHits(s.calls.Store, s.calls.Log), Searches: s.readers, Pages: reader.NewPages(), Tiles: reader.NewTiles(), Drawing: s.drawing}
	examined := s.examineAtStart()
	s.calls.Queue = s.startQueue()
	s.calls.Reader.Larger = s.calls.Queue.Larger
	s.janitor = startJanitor(s, examined)
	_ = mime.AddExtensionType(".webm", "video/webm") // package mime takes it for a sound
	s.webhooks = webhook.Start(webhook.Config{Store: s.calls.Store, Base: s.calls.Base, Now: s.calls.Now, Log: s.calls.Log, Node: s.calls.Node(), Follow: s.calls.Followers.Follow})
	return s, nil
}

// setPatience creates the gates; a call waits for a slot for at most d.
func (s *Service) setPatience(d time.Duration) {
	s.calls.Searches, s.calls.Walks, s.readers = admission.NewGate(mostSearches, d), admission.NewGate(mostWalks, d), admission.NewGate(mostReaders, d)
	s.calls.Told, s.drawing = admission.NewGate(mostTold, d), admission.NewGate(reader.MostLarger, d)
}

// loadImages creates the key of images at the first start; of several services that start
// together, one creates it. A later start only reads it, and waits for no change.
func (s *Service) loadImages(ctx context.Context) error {
	err := s.calls.Store.Read(ctx, func(tx store.Reader) (err error) {
		s.calls.Images, err = address.FindImages(tx, s.calls.Now)
		return err
	})
	if !store.IsNotFound(err) {
		return err
	}
	return s.calls.Store.Write(ctx, store.AllTenants, func(tx store.Writer) (err error) {
		s.calls.Images, err = address.LoadImages(tx, s.calls.Now)
		return err
	})
}

// openData opens the records and the content of the data directory.
func (s *Service) openData(ctx context.Context) error {
	data := s.calls.Options.Data
	if _, err := datadir.Check(ctx, data); err != nil {
		return err
	}
	db, err := sqlitestore.Open(ctx, filepath.Join(data, datadir.DatabaseFile))
	if err != nil {
		return err
	}
	s.calls.Store = db // after the check: a nil *sqlitestore.Store is not a nil store.Store
	if err := s.openContents(ctx, db); err != nil {
		return err
	}
	if err := datadir.FirstStart(ctx, s.calls.Store, data); err != nil {
		return fmt.Errorf("set up %s: %w", data, err)
	}
	return nil
}

func (s *Service) startQueue() *processing.Queue {
	return processing.Start(processing.Config{Store: s.calls.Store, Contents: s.calls.Contents, Processor: s.processor(), Jobs: s.calls.Options.PDFJobs, Scratch: s.calls.Options.Data,
		Drop: s.calls.Drop, Now: s.calls.Now, Log: s.calls.Log, Shared: s.shared(), Node: s.calls.Node()})
}

// shared returns the store that several services share; nil if everything is in the
// data directory.
func (s *Service) shared() store.Store {
	if s.calls.Options.Apart == nil {
		return nil
	}
	return s.calls.Options.Apart.Store
}

func (s *Service) processor() pdf.Processor {
	cache := cmp.Or(s.calls.Options.PDFCache, filepath.Join(s.calls.Options.Data, pdfCacheDir))
	return pdf.Processor{Command: s.calls.Options.PDFWorker, Cache: cache, Limits: s.calls.Options.PDFLimits}
}

// Close releases the data directory. Shut down the HTTP server first: no request may be
// under way.
func (s *Service) Close() error {
	s.calls.Answers.Close()
	if s.calls.Reader.Pages != nil {
		s.calls.Reader.Pages.Close()
		s.calls.Reader.Tiles.Close()
	}
	if s.calls.Queue != nil {
		s.calls.Queue.Close()
	}
	s.janitor.close()
	if s.webhooks != nil {
		s.webhooks.Close()
	}
	if s.calls.Followers != nil {
		s.calls.Followers.Close()
	}
	s.calls.Reader.Hits.Close()
	var err error
	if s.calls.Store != nil {
		err = s.calls.Store.Close()
	}
	if c, ok := s.calls.Contents.(io.Closer); ok {
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
	s.calls.Followers.End()
	s.calls.Reader.Hits.Write()
	s.calls.UnderWay.Drain(s.drainLimit)
}

// Drained is closed when, after Drain, no call with good credentials is left: connections
// that are still open belong to clients without them.
func (s *Service) Drained() <-chan struct{} { return s.calls.UnderWay.Drained() }

// WriteClientEnv updates PAPERFS_URL and PAPERFS_RPM in client.env of the data
// directory. It does not create the file again: its key is not stored anywhere else.
func (s *Service) WriteClientEnv(url string, rpm int) error {
	// Within a change, because an administrator changes the key of the file within one.
	return s.calls.Store.Write(context.Background(), store.AllTenants, func(tx store.Writer) error { return s.updateClientEnv(tx, url, rpm) })
}

func (s *Service) updateClientEnv(tx store.Reader, url string, rpm int) error {
	env, err := datadir.ReadClientEnv(s.calls.Options.Data)
	if errors.Is(err, fs.ErrNotExist) {
		s.calls.Log.Info("no client.env to update", "dir", s.calls.Options.Data)
		return nil
	}
	if err != nil {
		return err
	}
	if env.URL == url && env.RPM == rpm {
		return nil
	}
	env.URL, env.RPM = url, rpm
	return datadir.WriteClientEnv(s.calls.Options.Data, env)
}
