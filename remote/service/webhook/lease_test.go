package webhook

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// unread is a store that is asked, and has nothing to tell.
type unread struct{ store.Store }

func (unread) Read(context.Context, func(store.Reader) error) error { return nil }

// TestNoTryOutlastsTheLease checks that a process whose lease ends sooner than a try may does not begin one: another
// process may send the same event then, and later ones.
func TestNoTryOutlastsTheLease(t *testing.T) {
	t.Parallel()
	var got atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { got.Add(1) }))
	defer receiver.Close()
	s := &sender{Senders: &Senders{Config: Config{Store: unread{}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}, poster: NewPoster()}}
	defer s.poster.Close()
	w := store.Webhook{URL: receiver.URL, Secret: NewSecret(), Trusted: true}
	for rest, tries := range map[time.Duration]int64{tryTime - time.Second: 0, time.Hour: 1} {
		got.Store(0)
		s.until.Store(time.Now().Add(rest).UnixNano())
		failure, err := s.try(t.Context(), w, store.Notice{})
		require.NoError(t, failure)
		require.Equal(t, tries, got.Load(), "what was sent with a lease for another %v", rest)
		require.Equal(t, tries == 0, err == errLease)
	}
}

// TestEachPublicationIsTold checks that only events that say nothing of before are left out for later ones.
func TestEachPublicationIsTold(t *testing.T) {
	t.Parallel()
	for event, left := range map[string]bool{store.HookPublished: false, store.HookUnpublished: false, store.HookOrdered: false,
		store.HookChanged: true, store.HookProcessed: true, store.HookFailed: true} {
		n := store.Notice{Number: 1, Event: event, Node: 7}
		later := n
		later.Number = 3
		require.Equal(t, left, supersedes(later, n), event)
		require.False(t, supersedes(n, later), event)
	}
}
