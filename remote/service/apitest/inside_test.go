package apitest

import (
	"math"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

func (s *server) inside() *service.Inside { return s.service.Inside() }

// setUnadmitted changes how much content is kept before good credentials.
func (s *server) setUnadmitted(bytes int64) { s.inside().Unadmitted = bytes }

// wrapStore wraps the store of requests.
func (s *server) wrapStore(wrap func(store.Store) store.Store) {
	in := s.inside()
	in.Store = wrap(in.Store)
	in.Reader.Store = in.Store
}

// wrapContents wraps the service's contents.
func (s *server) wrapContents(wrap func(store.Contents) store.Contents) {
	in := s.inside()
	in.Contents = wrap(in.Contents)
	in.Reader.Contents, in.Queue.Contents = in.Contents, in.Contents
}

// keepContentsIn replaces the file store of a service that has no contents yet.
func (s *server) keepContentsIn(open func(store.Ledger) store.Contents) {
	in := s.inside()
	in.Engine.(*sqlitestore.Store).ExternalContent = true
	s.wrapContents(func(store.Contents) store.Contents { return open(in.Store) })
}

// addPDFTime adds PDF time of a tenant to the month of the service's clock.
func (s *server) addPDFTime(tenant int64, d time.Duration) {
	require.NoError(s.t, s.inside().Store.Write(s.t.Context(), tenant, func(tx store.Writer) error { return tx.AddPDFTime(tenant, s.options.Now(), d) }))
}

// pdfTime returns a tenant's PDF time of this month.
func (s *server) pdfTime(tenant int64) time.Duration {
	var u store.Usage
	require.NoError(s.t, s.inside().Store.Read(s.t.Context(), func(tx store.Reader) (err error) {
		u, err = tx.Usage(tenant, s.options.Now())
		return err
	}))
	return u.PDFTime
}

// isIdle reports whether the queue of PDFs is empty.
func (s *server) isIdle() bool {
	var b store.Backlog
	err := s.inside().Store.Read(s.t.Context(), func(tx store.Reader) (err error) {
		b, err = tx.Backlog()
		return err
	})
	return err == nil && b.Jobs == 0
}

// fillDisk makes the disk seem to have no free space beyond the reserve.
func (s *server) fillDisk() { s.inside().Contents.(*filestore.Store).Reserve = math.MaxInt64 }

// fillScratch makes the disk seem to have no room for answers.
func (s *server) fillScratch() { s.inside().Options.Data = "/dev/null/full" }

// setSpoolFrom changes the size from which answers go through a file.
func (s *server) setSpoolFrom(bytes int) {
	in := s.inside()
	in.SpoolFrom, in.Reader.SpoolFrom = bytes, bytes
}

// setScanPages changes how many pages a search compares before it uses the index.
func (s *server) setScanPages(n int64) {
	switch db := s.inside().Engine.(type) {
	case *sqlitestore.Store:
		db.ScanPages.Store(n)
	case *postgresstore.Store:
		db.ScanPages = n
	}
}

// setListing changes how many entries a category's page shows, and how many nodes the service reads
// for them.
func (s *server) setListing(entries, look int) {
	s.inside().Reader.Listing = reader.ListingBounds{Entries: entries, Look: look}
}

// setPaperPage changes how many pages, and how many bytes of their texts, a paper's page shows.
func (s *server) setPaperPage(pages, bytes int) {
	in := s.inside()
	in.Reader.Paper.Pages, in.Reader.Paper.Bytes = pages, bytes
}

// setBodyBounds changes how many bytes of a stranger's body, apart from content, the service reads,
// and the clock that measures the pace of such a body.
func (s *server) setBodyBounds(most int64, now func() time.Time) {
	in := s.inside()
	in.Bodies.Most, in.Bodies.Now = most, now
}

// setDrain changes how long strangers may continue after the shutdown begins, and how long answers
// have to reach their clients.
func (s *server) setDrain(limit, pause time.Duration) {
	in := s.inside()
	*in.DrainLimit, in.UnderWay.Pause = limit, pause
}

// setStall changes how long a body or an answer may stall.
func (s *server) setStall(limit time.Duration) { s.inside().Stall = limit }

// purgeAll removes all that is kept, as a disk does that stays full.
func (s *server) purgeAll() (any bool) {
	for in := s.inside(); in.MakeRoom(); {
		any = true
	}
	return any
}
