package apitest

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

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
