package apitest

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

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
