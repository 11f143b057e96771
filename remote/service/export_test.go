package service

import (
	"context"
	"math"
	"time"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// SetUnadmitted changes how much content is kept before good credentials.
func (s *Service) SetUnadmitted(bytes int64) { s.unadmitted = bytes }

// WrapStore wraps the service's store.
func (s *Service) WrapStore(wrap func(store.Store) store.Store) {
	s.store = wrap(s.store)
	s.reader.Store = s.store
}

// WrapContents wraps the service's contents.
func (s *Service) WrapContents(wrap func(store.Contents) store.Contents) {
	s.contents = wrap(s.contents)
	s.reader.Contents, s.queue.Contents = s.contents, s.contents
}

// AddPDFTime adds PDF time of a tenant to the month of the service's clock.
func (s *Service) AddPDFTime(tenant int64, d time.Duration) error {
	return s.store.Write(context.Background(), tenant, func(tx store.Writer) error { return tx.AddPDFTime(tenant, s.now(), d) })
}

// PDFTime returns a tenant's PDF time of this month.
func (s *Service) PDFTime(tenant int64) (d time.Duration, err error) {
	err = s.store.Read(context.Background(), func(tx store.Reader) error {
		u, err := tx.Usage(tenant, s.now())
		d = u.PDFTime
		return err
	})
	return d, err
}

// FillDisk makes the disk seem to have no free space beyond the reserve.
func (s *Service) FillDisk() { s.contents.(*filestore.Store).Reserve = math.MaxInt64 }

// SpoolFrom changes the size from which answers go through a file.
func (s *Service) SpoolFrom(bytes int) { s.spoolFrom, s.reader.SpoolFrom = bytes, bytes }

// Idle reports whether the queue of PDFs is empty.
func Idle(s *Service) bool {
	b, err := s.backlog()
	return err == nil && b.Jobs == 0
}

// engine returns the store without what is around it.
func (s *Service) engine() store.Store { return s.store.(*timedStore).Store.(followed).Store }

// ScanPages changes how many pages a search compares before it uses the index.
func (s *Service) ScanPages(n int64) {
	switch db := s.engine().(type) {
	case *sqlitestore.Store:
		db.ScanPages.Store(n)
	case *postgresstore.Store:
		db.ScanPages = n
	}
}

// SetStrangerMemory changes how many bytes are kept in memory for all strangers together, beyond some for each.
func (s *Service) SetStrangerMemory(bytes int64) { s.strangers.MostMemory = bytes }

// SetStrangerDisk changes how much content all strangers together may have on the disk.
func (s *Service) SetStrangerDisk(bytes int64) { s.strangers.Most = bytes }

// Strangers returns the number and the total bytes of strangers' uploads on the disk.
func (s *Service) Strangers() (uploads int, bytes int64) {
	return s.strangers.Count()
}

// SetAddressClock sets the clock of the rate limit of addresses.
func (s *Service) SetAddressClock(now func() time.Time) { s.addresses.Now = now }

// SetListing changes how many entries a category's page shows, and how many nodes the service reads
// for them.
func (s *Service) SetListing(entries, look int) {
	s.reader.Listing = reader.ListingBounds{Entries: entries, Look: look}
}

// SetPaperPage changes how many pages, and how many bytes of their texts, a paper's page shows.
func (s *Service) SetPaperPage(pages, bytes int) {
	s.reader.Paper.Pages, s.reader.Paper.Bytes = pages, bytes
}

// SetPaperLinks changes how many links the service reads for a paper's page.
func (s *Service) SetPaperLinks(links int) { s.reader.Paper.Links = links }

// SetBodyBounds changes how many bytes of a stranger's body, apart from content, the service reads,
// and the clock that measures the pace of such a body.
func (s *Service) SetBodyBounds(most int64, now func() time.Time) {
	s.bodies.Most, s.bodies.Now = most, now
}

// SetDrain changes how long strangers may continue after the shutdown begins, and how long answers
// have to reach their clients.
func (s *Service) SetDrain(limit, pause time.Duration) { s.drainLimit, s.underWay.Pause = limit, pause }

// SetStall changes how long a body or an answer may stall.
func (s *Service) SetStall(limit time.Duration) { s.stall = limit }

// KeepContentsIn replaces the file store of a service that has no contents yet.
func (s *Service) KeepContentsIn(open func(store.Ledger) store.Contents) {
	s.engine().(*sqlitestore.Store).ExternalContent = true
	s.contents = open(s.store)
	s.reader.Contents, s.queue.Contents = s.contents, s.contents
}

// Owner returns the service's owner id of its jobs.
func Owner(s *Service) string { return s.queue.Owner() }

// Gates returns how many searches and walks may run at once.
func (s *Service) Gates() (searches, walks int) { return mostSearches, mostWalks }

// MostReaders returns how many readers' searches may run at once.
func (s *Service) MostReaders() int { return mostReaders }

// Waiting returns how many calls wait for a search and for a walk.
func (s *Service) Waiting() (searches, walks int) { return s.searches.Waiting(), s.walks.Waiting() }

// SetPatience changes how long a search or a walk waits for its place.
func (s *Service) SetPatience(d time.Duration) {
	s.setPatience(d)
	s.reader.Searches = s.readers
}

// FillScratch makes the disk seem to have no room for answers.
func (s *Service) FillScratch() { s.options.Data = "/dev/null/full" }

// Purge removes what is no longer kept, as the janitor does.
func Purge(s *Service) bool { return s.purge(s.outdated) }

// PurgeAll removes all that is kept, as a full disk does.
func PurgeAll(s *Service) (any bool) {
	for s.makeRoom() {
		any = true
	}
	return any
}

// Followers returns how many requests are held.
func Followers(s *Service) (held int) {
	s.followers.mu.Lock()
	defer s.followers.mu.Unlock()
	for _, t := range s.followers.tenants {
		held += t.held
	}
	return held
}

// Follow holds places of a tenant.
func Follow(s *Service, tenant int64, places int) (leave func()) {
	for range places {
		s.followers.join(tenant)
	}
	return func() {
		for range places {
			s.followers.leave(tenant)
		}
	}
}

// CutEvents cuts the log of changes.
func CutEvents(s *Service, before time.Time) { s.cutEvents(context.Background(), before) }

// WakeWebhooks makes the senders look for what there is to do.
func WakeWebhooks(s *Service) { s.webhooks.Wake() }
