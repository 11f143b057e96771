package apitest

import (
	"context"
	"database/sql"
	"encoding/base64"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/s3store"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// onObjects returns a service that keeps its contents in an object store, and a proxy between them.
func onObjects(t *testing.T) (s *server, p *enginetest.Proxy, objects func() int) {
	allInFiles(t) // the test opens the records as SQLite
	server := enginetest.SharedObjectStore(t)
	p = server.Proxy(t)
	address := server.AddressBesideVia(t, p.Host)
	s = start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(io.Discard, nil)) })
	place := testrun.Must(s3store.ParsePlace(address))(t)
	s.keepContentsIn(func(ledger store.Ledger) store.Contents {
		c := testrun.Must(s3store.New(place, ledger))(t)
		t.Cleanup(func() { require.NoError(t, c.Close()) })
		return c
	})
	return s, p, func() int {
		names, uploads := server.Objects(t, address)
		require.Zero(t, uploads)
		return len(names)
	}
}

// states counts the contents of a state in the ledger.
func (s *server) states(state int) (count int) {
	db := testrun.Must(sql.Open("sqlite", "file:"+s.database()+"?mode=ro"))(s.t)
	defer db.Close()
	require.NoError(s.t, db.QueryRow(`SELECT count(*) FROM content WHERE state = ?`, state).Scan(&count))
	return count
}

func TestMediaAndPDFsInAnObjectStore(t *testing.T) {
	t.Parallel()
	s, _, objects := onObjects(t)
	large := string(storetest.Bytes(1, 9<<20))
	file := s.upload("0", "large.bin", large)
	address := s.http.URL + "/media/" + file + "/large.bin"
	require.True(t, s.get(address).body == large)
	part := s.get(address, "Range", "bytes=8388600-8388620")
	require.Equal(t, http.StatusPartialContent, part.status)
	require.Equal(t, large[8388600:8388621], part.body)
	s.upload("0", "small.txt", "small")
	require.Equal(t, 1, objects(), "small content stays with its record")
	require.Equal(t, file, s.upload("0", "large.bin", large[1:]))
	require.True(t, s.get(address).body == large[1:])
	require.Equal(t, 2, objects(), "replaced content stays for a while")

	paper := s.paper(s.root(), "one")
	s.process(paper, pdftest.Text("one", "two"), pdfOptions(""))
	require.Equal(t, 4, objects())
	require.Equal(t, http.StatusOK, s.get(s.pages(paper)[0].Images[0].URL).status)
	require.Equal(t, 4, s.states(1), "content named by records is kept, that of an earlier version too")
	require.True(t, s.purgeAll())
	require.Equal(t, 3, s.states(1))
	require.Equal(t, 1, s.states(3), "other content is dropped")
	s.must(remote.DeleteFile, "fileID", file)
	s.must(remote.DeletePaper, "paperID", paper)
	require.True(t, s.purgeAll())
	require.Equal(t, 0, s.states(1))
	require.Equal(t, 4, s.states(3))
}

// TestAnObjectStoreThatIsAway checks that calls that need the object store get a 503 outside the
// envelope, which clients retry, and that all other calls still work.
func TestAnObjectStoreThatIsAway(t *testing.T) {
	t.Parallel()
	s, p, objects := onObjects(t)
	large := string(storetest.Bytes(1, 300<<10))
	file := s.upload("0", "large.bin", large)
	upload := []string{"parentID", "0", "name", "large.bin", "base64File", base64.StdEncoding.EncodeToString([]byte(large[1:]))}
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) { enginetest.Cut() })
	refused := s.call(remote.UploadFile, upload...)
	require.Equal(t, http.StatusServiceUnavailable, refused.status, refused.body)
	require.NotEmpty(t, refused.header.Get("Retry-After"))
	refused = s.get(s.http.URL + "/media/" + file + "/large.bin")
	require.Equal(t, http.StatusServiceUnavailable, refused.status, refused.body)
	require.NotEmpty(t, refused.header.Get("Retry-After"))
	s.tree()
	s.paper(s.root(), "one")
	s.must(remote.GetTree)
	require.Equal(t, http.StatusOK, s.get(s.http.URL+"/media/"+s.upload("0", "small.txt", "small")+"/small.txt").status)
	p.Set(nil)
	require.True(t, s.get(s.http.URL+"/media/"+file+"/large.bin").body == large)
	s.must(remote.UploadFile, upload...)
	require.True(t, s.get(s.http.URL+"/media/"+file+"/large.bin").body == large[1:])
	require.Equal(t, 2, objects())
}

// TestADamagedLedgerTakesNoMoreChanges damages the ledger of contents in an object store. The first
// content that is announced there shows it: then nothing is changed any more.
func TestADamagedLedgerTakesNoMoreChanges(t *testing.T) {
	t.Parallel()
	s, _, objects := onObjects(t)
	large := string(storetest.Bytes(1, 300<<10))
	file := s.upload("0", "before", large)
	s.damageLedger()

	require.Equal(t, http.StatusOK, s.readiness())
	upload := func(name string) []string {
		return []string{"parentID", "0", "name", name, "base64File", base64.StdEncoding.EncodeToString([]byte(large))}
	}
	r := s.fails(remote.Failure, remote.UploadFile, upload("first")...)
	require.Equal(t, "The service's database is damaged or missing: its operator has to restore it.", r.words)
	require.Equal(t, http.StatusServiceUnavailable, s.readiness())
	require.EqualValues(t, 1, s.metric("paperfs_service_damaged"))
	r = s.fails(remote.ReadOnly, remote.UploadFile, upload("second")...)
	require.Contains(t, r.words, "The service's database is damaged")
	s.fails(remote.ReadOnly, remote.CreatePaper, "parentID", s.root(), "name", "n", "urlName", "n")
	s.fails(remote.ReadOnly, remote.DeleteFile, "fileID", file)
	require.True(t, s.get(s.http.URL+"/media/"+file+"/before").body == large, "what can be read is served")
	require.Equal(t, 1, objects())
}

// damageLedger overwrites the ledger, a table and its indexes, in the database of the running
// service.
func (s *server) damageLedger() {
	db := testrun.Must(sql.Open("sqlite", s.database()))(s.t)
	defer db.Close()
	var names []string
	rows := testrun.Must(db.Query(`SELECT name FROM sqlite_master WHERE tbl_name = 'content' AND rootpage > 0`))(s.t)
	for rows.Next() {
		names = append(names, "")
		require.NoError(s.t, rows.Scan(&names[len(names)-1]))
	}
	require.NotEmpty(s.t, names)
	testrun.Must(db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`))(s.t)
	for _, name := range names {
		overwrite(s.t, s.database(), (rootPage(s.t, s.database(), name)-1)*4096, 4096)
	}
	_, err := db.Exec(`CREATE TABLE other (x); DROP TABLE other`) // after a change, other connections read pages again
	require.NoError(s.t, err)
}

// awayContents is unreachable for a while.
type awayContents struct {
	store.Contents
	pass atomic.Int64 // drafts that succeed before the outage
	away atomic.Int64 // drafts that fail during it
}

func (c *awayContents) Create(ctx context.Context) (store.Draft, error) {
	if c.pass.Add(-1) < 0 && c.away.Add(-1) >= 0 {
		return nil, store.ErrAway
	}
	return c.Contents.Create(ctx)
}

// TestAPDFWaitsForAnEngineThatIsAway checks that an outage of the content store does not count as
// an attempt.
func TestAPDFWaitsForAnEngineThatIsAway(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	away := &awayContents{}
	away.pass.Store(1) // for the PDF itself
	away.away.Store(5)
	s.wrapContents(func(inner store.Contents) store.Contents { away.Contents = inner; return away })
	s.process(paper, pdftest.Text("garden"), pdfOptions(""))
	require.Negative(t, away.away.Load())
}

// endingStore makes each change, and then fails.
type endingStore struct {
	store.Store
	err  error
	made bool
}

func (s *endingStore) Write(ctx context.Context, tenant int64, change func(store.Writer) error) error {
	if s.made {
		if err := s.Store.Write(ctx, tenant, change); err != nil {
			return err
		}
	}
	return s.err
}

// TestA503SaysThatNothingChanged checks that a change of which nobody knows whether it was made
// is not answered with 503: a balancer sends a call with that answer to another node.
func TestA503SaysThatNothingChanged(t *testing.T) {
	t.Parallel()
	s := start(t)
	var made store.Store
	s.wrapStore(func(inner store.Store) store.Store { made = inner; return inner })
	for name, one := range map[string]struct {
		err    error
		made   bool
		status int
	}{
		"undone": {store.ErrAway, false, http.StatusServiceUnavailable},
		"busy":   {store.ErrSlow, false, http.StatusServiceUnavailable},
		"unsure": {&store.UnsureError{Err: store.ErrAway}, true, http.StatusGatewayTimeout},
	} {
		s.wrapStore(func(store.Store) store.Store { return &endingStore{made, one.err, one.made} })
		r := s.call(remote.CreatePaper, "parentID", s.root(), "name", name, "urlName", name)
		require.Equal(t, one.status, r.status, name)
		require.Equal(t, "5", r.header.Get("Retry-After"), name)
		require.Equal(t, one.made, strings.Contains(s.must(remote.GetAllPapers, "paperID", s.root()).body, name), name)
	}
}
