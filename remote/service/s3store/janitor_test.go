package s3store

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// keep makes a record name content, as far as the ledger is concerned.
func keep(r store.Store, key string) error {
	return r.Write(context.Background(), store.AllTenants, func(tx store.Writer) error { return tx.KeepContent(key) })
}

func clean(t *testing.T, s *Store) (removed int) {
	t.Helper()
	removed = testrun.Must(s.Clean(t.Context()))(t)
	return removed
}

// begun returns a draft some of whose parts were sent.
func begun(t *testing.T, s *Store) store.Draft {
	t.Helper()
	d := testrun.Must(s.Create(t.Context()))(t)
	testrun.Must(d.Write(make([]byte, 17*mib)))(t)
	return d
}

// TestTheJanitorLeavesWhatIsYoung checks that the janitor leaves content being sent, content
// without a record yet, content that was just dropped, kept content, and objects that are not in
// the ledger.
func TestTheJanitorLeavesWhatIsYoung(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	r := records(t)
	address := server.AddressBeside(t)
	s := at(t, address, r)
	stranger := at(t, address, records(t))
	storetest.WriteContent(t, stranger, []byte("another's"))
	onItsWay := begun(t, s)
	kept, dropped := storetest.WriteContent(t, s, []byte("kept")), storetest.WriteContent(t, s, []byte("dropped"))
	storetest.WriteContent(t, s, []byte("without a record yet"))
	require.NoError(t, errors.Join(keep(r, kept), keep(r, dropped)))
	change(t, r, func(tx store.Writer) error { return tx.DropContent(dropped) })
	require.Zero(t, clean(t, s))
	key := testrun.Must(onItsWay.Commit())(t)
	require.NoError(t, keep(r, key))
	s.ages = ages{}
	require.Equal(t, 2, clean(t, s))
	names, uploads := server.Objects(t, address)
	require.Len(t, names, 3)
	require.Zero(t, uploads)
	for _, key := range []string{kept, key} {
		require.Contains(t, names, key[:2]+"/"+key)
	}
}

// TestASlowUploadIsAnnouncedAgain checks that a slow upload renews its intention, so that no
// janitor considers it abandoned.
func TestASlowUploadIsAnnouncedAgain(t *testing.T) {
	t.Parallel()
	r := records(t)
	s := at(t, enginetest.SharedObjectStore(t).AddressBeside(t), r)
	d := begun(t, s).(*draft)
	first := d.intended
	testrun.Must(d.Write(make([]byte, 8*mib)))(t)
	require.Equal(t, first, d.intended)
	d.intended = time.Now().Add(-intendAgain)
	testrun.Must(d.Write(make([]byte, 8*mib)))(t)
	require.WithinDuration(t, time.Now(), d.intended, time.Minute)
	d.Discard()
}

// TestAStalledUploadGetsNoRecord checks that content whose upload stalled for too long gets no
// record, whenever it stalled, and is removed.
func TestAStalledUploadGetsNoRecord(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	r := records(t)
	address := server.AddressBeside(t)
	s := at(t, address, r)
	s.ages = ages{dropped: time.Hour}
	inTheMiddle, late := begun(t, s).(*draft), storetest.WriteContent(t, s, []byte("late"))
	require.Zero(t, clean(t, s), "dropped content stays for an hour")
	inTheMiddle.intended = time.Time{}
	_, err := inTheMiddle.Commit()
	require.ErrorIs(t, err, store.ErrGivenUp)
	require.ErrorIs(t, keep(r, late), store.ErrGivenUp)
	s.ages = ages{}
	require.Equal(t, 2, clean(t, s))
	names, uploads := server.Objects(t, address)
	require.Empty(t, names)
	require.Zero(t, uploads)
}

// TestAnUploadThatIsAbortedUnderItsSender checks that such an upload fails.
func TestAnUploadThatIsAbortedUnderItsSender(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	address := server.AddressBeside(t)
	s := at(t, address, records(t))
	d := begun(t, s)
	s.ages = ages{}
	require.Equal(t, 1, clean(t, s))
	_, err := d.Commit()
	require.Error(t, err)
	names, _ := server.Objects(t, address)
	require.Empty(t, names)
}

// TestTheJanitorRemovesInBatches checks that the janitor removes objects in batches, and continues
// where it was stopped.
func TestTheJanitorRemovesInBatches(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	p := server.Proxy(t)
	address := server.AddressBesideVia(t, p.Host)
	r := records(t)
	s := at(t, address, r)
	s.ages = ages{time.Hour, 0}
	var there []string
	for range 20 {
		there = append(there, storetest.WriteContent(t, s, []byte("x")))
	}
	drop(t, r, there)
	var all []string
	for range 2*batch + 10 { // removing a missing object is not a failure
		all = append(all, uuid.NewString())
	}
	drop(t, r, all)
	p.Seen()
	failed := false
	p.Set(func(w http.ResponseWriter, q *http.Request, forward http.Handler) {
		if !failed && q.URL.Query().Has("delete") {
			failed = true
			enginetest.Status(w, http.StatusForbidden, "AccessDenied")
			return
		}
		forward.ServeHTTP(w, q)
	})
	removed, err := s.Clean(t.Context())
	require.ErrorContains(t, err, "a test says so")
	require.Zero(t, removed)
	require.Equal(t, 2*batch+30, clean(t, s))
	require.Equal(t, []string{"POST delete=", "POST delete=", "POST delete=", "POST delete="}, p.Seen())
	require.Zero(t, clean(t, s))
	names, _ := server.Objects(t, address)
	require.Empty(t, names)
}

// drop records contents that were removed. Intentions that are recorded at the same time share a sync of the disk.
func drop(t *testing.T, r *sqlitestore.Store, keys []string) {
	t.Helper()
	var intend errgroup.Group
	intend.SetLimit(batch / 4)
	for _, key := range keys {
		intend.Go(func() error {
			if err := r.Intend(t.Context(), key); !errors.Is(err, store.ErrGivenUp) {
				return err
			}
			return nil
		})
	}
	require.NoError(t, intend.Wait())
	change(t, r, func(tx store.Writer) error {
		for _, key := range keys {
			if err := errors.Join(tx.KeepContent(key), tx.DropContent(key)); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestAnObjectThatIsNotRemovedIsNotForgotten checks the result for each object in the answer.
func TestAnObjectThatIsNotRemovedIsNotForgotten(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	p := server.Proxy(t)
	address := server.AddressBesideVia(t, p.Host)
	r := records(t)
	s := at(t, address, r)
	s.ages = ages{}
	stays, goes := storetest.WriteContent(t, s, []byte("x")), storetest.WriteContent(t, s, []byte("x"))
	drop(t, r, []string{stays, goes})
	p.Set(func(w http.ResponseWriter, q *http.Request, forward http.Handler) {
		if !q.URL.Query().Has("delete") {
			forward.ServeHTTP(w, q)
			return
		}
		name := func(key string) string { return s.place.Prefix + key[:2] + "/" + key }
		_, _ = io.WriteString(w, `<?xml version="1.0"?><DeleteResult><Deleted><Key>`+name(goes)+`</Key></Deleted><Error><Key>`+name(stays)+`</Key><Code>InternalError</Code><Message>no</Message></Error></DeleteResult>`)
	})
	removed, err := s.Clean(t.Context())
	require.ErrorContains(t, err, "1 of 2 contents could not be removed, for example "+stays)
	require.Equal(t, 1, removed)
	p.Set(nil)
	require.Zero(t, clean(t, s), "the object waits for its next attempt")
	require.Equal(t, 1, s.Stuck())
	anHourLater(s)
	require.Equal(t, 1, clean(t, s))
	names, _ := server.Objects(t, address)
	require.Equal(t, []string{goes[:2] + "/" + goes}, names, "the proxy only pretended to remove the object")
}

// TestTheJanitorWaitsForAnObjectStoreThatIsAway checks that the janitor waits and forgets nothing.
func TestTheJanitorWaitsForAnObjectStoreThatIsAway(t *testing.T) {
	t.Parallel()
	server := enginetest.StartObjectStore(t)
	address := server.AddressBeside(t)
	r := records(t)
	place := testrun.Must(ParsePlace(address))(t)
	s := testrun.Must(newStore(place, r, 2, standstill))(t)
	s.ages = ages{}
	d := begun(t, s)
	storetest.WriteContent(t, s, []byte("x"))
	server.Stop()
	_, err := s.Clean(t.Context())
	require.ErrorIs(t, err, store.ErrAway)
	d.Discard()
	s.background.Wait()
	server.Restart(t)
	require.Equal(t, 2, clean(t, s))
	names, uploads := server.Objects(t, address)
	require.Empty(t, names)
	require.Zero(t, uploads)
}

// TestACopyThatWasKilledLeavesNoParts checks that no parts are left of killed attempts to copy
// content under a key that a later attempt completes.
func TestACopyThatWasKilledLeavesNoParts(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	address := server.AddressBeside(t)
	s := at(t, address, records(t))
	key := uuid.NewString()
	for range 2 {
		killed := testrun.Must(s.CreateAs(t.Context(), key))(t)
		testrun.Must(killed.Write(make([]byte, 17*mib)))(t)
		require.NoError(t, killed.(*draft).wait())
	}
	d := testrun.Must(s.CreateAs(t.Context(), key))(t)
	testrun.Must(d.Write(make([]byte, 17*mib)))(t)
	require.Equal(t, key, testrun.Must(d.Commit())(t))
	names, uploads := server.Objects(t, address)
	require.Equal(t, []string{key}, sortedKeys(names))
	require.Zero(t, uploads)
}

func sortedKeys(names []string) []string {
	var keys []string
	for _, name := range names {
		_, key, _ := strings.Cut(name, "/")
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// TestPartsThatAnotherOneRemoves checks that parts that another node removes at the same time block
// nothing.
func TestPartsThatAnotherOneRemoves(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	p := server.Proxy(t)
	address := server.AddressBesideVia(t, p.Host)
	s := at(t, address, records(t))
	s.ages = ages{}
	d := begun(t, s).(*draft)
	require.NoError(t, d.wait())
	p.Set(func(w http.ResponseWriter, q *http.Request, forward http.Handler) {
		if q.Method == http.MethodDelete {
			forward.ServeHTTP(httptest.NewRecorder(), q.Clone(q.Context()))
		}
		forward.ServeHTTP(w, q)
	})
	require.Equal(t, 1, clean(t, s))
	_, uploads := server.Objects(t, address)
	require.Zero(t, uploads)
}
