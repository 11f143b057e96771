package service

import (
	"context"
	"math"
	"time"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/metrics"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// SetUnadmitted changes how much content is kept before good credentials.
func (s *Service) SetUnadmitted(bytes int64) { s.unadmitted = bytes }

// WrapStore puts a store in front of the service's own.
func (s *Service) WrapStore(wrap func(store.Store) store.Store) {
	s.store = wrap(s.store)
	s.reader.Store = s.store
}

// WrapContents puts contents in front of the service's own.
func (s *Service) WrapContents(wrap func(store.Contents) store.Contents) {
	s.contents = wrap(s.contents)
	s.reader.Contents, s.queue.Contents = s.contents, s.contents
}

// AddPDFTime counts time of PDFs of a tenant in the month of the service's clock.
func (s *Service) AddPDFTime(tenant int64, d time.Duration) error {
	return s.store.Write(context.Background(), tenant, func(tx store.Writer) error { return tx.AddPDFTime(tenant, s.now(), d) })
}

// PDFTime returns the counted time.
func (s *Service) PDFTime(tenant int64) (d time.Duration, err error) {
	err = s.store.Read(context.Background(), func(tx store.Reader) error {
		u, err := tx.Usage(tenant, s.now())
		d = u.PDFTime
		return err
	})
	return d, err
}

// FillDisk makes the disk look as if there were no free space but the reserve.
func (s *Service) FillDisk() { s.contents.(*filestore.Store).Reserve = math.MaxInt64 }

// SpoolFrom changes the least size of answers that go through a file.
func (s *Service) SpoolFrom(bytes int) { s.spoolFrom, s.reader.SpoolFrom = bytes, bytes }

// Idle reports whether the queue of PDFs is empty.
func Idle(s *Service) bool {
	b, err := s.backlog()
	return err == nil && b.Jobs == 0
}

// ScanPages changes how many pages a search compares before it asks the index.
func (s *Service) ScanPages(n int64) {
	switch db := s.store.(*metrics.TimedStore).Store.(type) {
	case *sqlitestore.Store:
		db.ScanPages.Store(n)
	case *postgresstore.Store:
		db.ScanPages = n
	}
}

// SetStrangerDisk changes how much content of all strangers is on the disk.
func (s *Service) SetStrangerDisk(bytes int64) { s.strangers.Most = bytes }

// Strangers returns how many uploads of strangers are on the disk, and how many
// bytes of them.
func (s *Service) Strangers() (uploads int, bytes int64) {
	return s.strangers.Count()
}

// SetAddressClock sets the clock of the limit of addresses.
func (s *Service) SetAddressClock(now func() time.Time) { s.addresses.Now = now }

// SetListing changes how many entries a page of a category has, and at how many
// nodes the service looks for it.
func (s *Service) SetListing(entries, look int) {
	s.reader.Listing = reader.ListingBounds{Entries: entries, Look: look}
}

// SetPaperPage changes how many pages, and bytes of their texts, the page of a
// paper shows.
func (s *Service) SetPaperPage(pages, bytes int) {
	s.reader.Paper.Pages, s.reader.Paper.Bytes = pages, bytes
}

// SetPaperLinks changes at how many links the page of a paper looks.
func (s *Service) SetPaperLinks(links int) { s.reader.Paper.Links = links }

// SetBodyBounds changes how many bytes of a stranger's body, beside content, are
// read, and what time it is for the pace of such a body.
func (s *Service) SetBodyBounds(most int64, now func() time.Time) {
	s.bodies.Most, s.bodies.Now = most, now
}

// SetDrain changes how long strangers go on when the service ends, and how long
// answers have to reach their clients.
func (s *Service) SetDrain(limit, pause time.Duration) { s.drainLimit, s.underWay.Pause = limit, pause }

// SetStall changes how long a body, or an answer, may stand still.
func (s *Service) SetStall(limit time.Duration) { s.stall = limit }

// KeepContentsIn has the service keep contents elsewhere than in files. It is for a
// service that has none yet.
func (s *Service) KeepContentsIn(open func(store.Ledger) store.Contents) {
	s.store.(*metrics.TimedStore).Store.(*sqlitestore.Store).ExternalContent = true
	s.contents = open(s.store)
	s.reader.Contents, s.queue.Contents = s.contents, s.contents
}

// Owner returns the owner of the jobs that a service processes.
func Owner(s *Service) string { return s.queue.Owner() }

// Gates are how many searches and walks go on at once.
func (s *Service) Gates() (searches, walks int) { return mostSearches, mostWalks }

// MostReaders is how many searches of readers go on at once.
func (s *Service) MostReaders() int { return mostReaders }

// Waiting is how many wait for a search, and for a walk.
func (s *Service) Waiting() (searches, walks int) { return s.searches.Waiting(), s.walks.Waiting() }

// SetPatience changes how long a search or a walk waits for its place.
func (s *Service) SetPatience(d time.Duration) {
	s.setPatience(d)
	s.reader.Searches = s.readers
}

// FillScratch has no answer find room on the disk.
func (s *Service) FillScratch() { s.options.Data = "/dev/null/full" }
