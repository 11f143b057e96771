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
	parts
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
	s := &Service{leastKept: defaultLeastKept, drainLimit: admission.DrainLimit, parts: parts{options: o, base: address.NewBase(o.BasePath), log: o.Log, now: o.Now,
		unadmitted: defaultUnadmitted, strangers: admission.Strangers{Most: admission.StrangerDisk, MostMemory: admission.StrangerMemory}, stall: admission.StallLimit,
		spoolFrom: answer.SpoolFrom, room: answer.Room{Most: callsRoom}, bodies: admission.DefaultBounds(), underWay: admission.NewRequests(), answers: answerCache{Most: mostAnswers}}}
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
