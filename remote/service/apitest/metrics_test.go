package apitest

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// metric returns the value of a line of the operator's metrics, or 0 if there is none.
func (s *server) metric(name string) float64 {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.service.Operator().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(s.t, http.StatusOK, w.Code)
	for line := range strings.Lines(w.Body.String()) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return testrun.Must(strconv.ParseFloat(strings.TrimSpace(value), 64))(s.t)
		}
	}
	return 0
}

// TestBytesReceivedAreCountedAsTheyCome checks that exactly the received bytes count, even of a
// body of unknown length.
func TestBytesReceivedAreCountedAsTheyCome(t *testing.T) {
	t.Parallel()
	s := start(t)
	const received = "paperfs_service_received_bytes_total"
	body := s.credentials(remote.GetPaperIDFromUrl)
	body.Set("url", "/")
	text := body.Encode()
	for _, chunked := range []bool{true, false} {
		before := s.metric(received)
		var content io.Reader = strings.NewReader(text)
		if chunked {
			content = io.MultiReader(content) // hides the length
		}
		req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.GetPaperIDFromUrl.Path(), content))(t)
		require.Equal(t, !chunked, req.ContentLength > 0)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		require.Equal(t, remote.Success, s.do(req).code)
		// The service counts a request after it has written the answer.
		require.Eventually(t, func() bool { return s.metric(received) != before }, testrun.Patience(), time.Millisecond)
		require.EqualValues(t, len(text), s.metric(received)-before)
	}
}

func TestTheOperatorSeesHowLongTheDatabaseTakes(t *testing.T) {
	t.Parallel()
	s := start(t)
	count := func(transaction string) float64 {
		return s.metric(`paperfs_service_database_seconds_count{transaction="` + transaction + `"}`)
	}
	reads, writes, callers := count("read"), count("write"), count("caller")
	s.paper("1", "one")
	require.Greater(t, count("read"), reads)
	require.Greater(t, count("write"), writes)
	require.Greater(t, count("caller"), callers)
	for _, transaction := range []string{"read", "write", "caller"} {
		require.Positive(t, s.metric(`paperfs_service_database_seconds_sum{transaction="`+transaction+`"}`))
	}
}

// TestAPDFOfAnotherServiceDoesNotCountAsWaiting checks that a PDF that another service processes is not
// counted as waiting.
func TestAPDFOfAnotherServiceDoesNotCountAsWaiting(t *testing.T) {
	t.Parallel()
	allInFiles(t) // the test opens the records as SQLite
	s := start(t, func(o *service.Options) { o.PDFJobs = -1 })
	records := testrun.Must(sqlitestore.OpenExisting(t.Context(), filepath.Join(s.data, datadir.DatabaseFile)))(t)
	defer records.Close()
	require.NoError(t, records.Write(t.Context(), 1, func(tx store.Writer) error {
		for _, name := range []string{"a", "b"} {
			paper := testrun.Must(tx.AddNode(store.Node{Tenant: 1, Parent: 1, Kind: remote.PaperNode, Name: name, URLName: name}))(t)
			require.NoError(t, tx.AddWork(store.Work{Job: store.Job{GUID: name, Tenant: 1, Paper: paper}, Options: "{}"}))
		}
		return nil
	}))
	const waiting = `paperfs_service_pdf_jobs{state="waiting"}`
	require.EqualValues(t, 2, s.metric(waiting))
	testrun.Must(records.Claim(t.Context(), "another", time.Hour))(t)
	require.EqualValues(t, 1, s.metric(waiting))
	require.Zero(t, s.metric(`paperfs_service_pdf_jobs{state="running"}`), "this service runs no job")
}

// TestTheLogHasTheStatusOfHEAD asks for the head of pages of the reader, rendered and cached, and of a file: the log and the
// metrics have the status that the client got.
func TestTheLogHasTheStatusOfHEAD(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	s.upload("0", "file", "content")
	s.paperOf("spring", "one")
	const tries = 2
	addresses := []string{s.must(remote.GetTree).attribute(t, "url"), s.http.URL + "/", s.http.URL + "/spring/"}
	for range tries {
		for _, address := range addresses {
			resp := testrun.Must(http.Head(address))(t)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, http.StatusOK, resp.StatusCode, address)
		}
	}
	lines := tries * len(addresses)
	require.Eventually(t, func() bool { return strings.Count(log.String(), "method=HEAD") == lines }, testrun.Patience(), time.Millisecond)
	for line := range strings.Lines(log.String()) {
		require.NotContains(t, line, "status=0 ")
	}
	require.Zero(t, s.metric(`paperfs_service_requests_total{code="0",operation=""}`))
}

// slowStore delays each read of a call until its caller has disconnected.
type slowStore struct {
	store.Store
	entered chan struct{}
}

func (s *slowStore) Read(ctx context.Context, f func(store.Reader) error) error {
	if ctx.Value(http.ServerContextKey) != nil {
		s.entered <- struct{}{}
		<-ctx.Done()
	}
	return s.Store.Read(ctx, f)
}

// TestACallerWhoGoesAwayIsNoFailure checks that a client that disconnects from a file or a page
// causes no error in the log and in no metric.
func TestACallerWhoGoesAwayIsNoFailure(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	s.upload("0", "file", "content")
	file := s.must(remote.GetTree).attribute(t, "url")
	slow := &slowStore{entered: make(chan struct{})}
	s.wrapStore(func(real store.Store) store.Store {
		slow.Store = real
		return slow
	})
	for _, address := range []string{file, s.http.URL + "/", s.http.URL + "/paper/"} {
		before := s.metric("paperfs_service_requests_under_way")
		ctx, leave := context.WithCancel(t.Context())
		go func() {
			<-slow.entered
			leave()
		}()
		req := testrun.Must(http.NewRequestWithContext(ctx, http.MethodGet, address, nil))(t)
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		require.Error(t, err)
		require.Eventually(t, func() bool { return s.metric("paperfs_service_requests_under_way") <= before }, testrun.Patience(), time.Millisecond)
	}
	require.Eventually(t, func() bool { return strings.Count(log.String(), "method=GET") == 3 }, testrun.Patience(), time.Millisecond)
	require.Equal(t, 3, strings.Count(log.String(), "status=499"), log.String())
	require.NotContains(t, log.String(), "ERROR")
	require.EqualValues(t, 3, s.metric(`paperfs_service_requests_total{code="499",operation=""}`))
}
