package webhook

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

const (
	// look is how often a process looks for new webhooks, and a sender for what is due.
	look = 5 * time.Second
	// leaseTime is how long a process sends without renewing its lease.
	leaseTime = 30 * time.Second
	// mostCalls is how many senders at a time use the store: many webhooks leave it to the calls of users.
	mostCalls = 2
)

// Config is what Senders work with.
type Config struct {
	Store store.Store
	Base  address.Base
	Now   func() time.Time
	Log   *slog.Logger
	Node  string // name of this process among those that share the store
	// Follow makes somebody hear of a tenant's changes until end: news is closed at the next one.
	Follow func(tenant int64) (news func() <-chan struct{}, end func())
}

// Senders send for the webhooks of all tenants that this process has claimed.
type Senders struct {
	Config
	owner  string
	poster *Poster
	stop   context.CancelFunc
	ended  sync.WaitGroup

	mu    sync.Mutex
	woken chan struct{} // closed by Wake
}

// Renew lets webhooks that came with a copy begin at the end of its log as it is now, before anybody changes something.
func Renew(ctx context.Context, s store.Store, now time.Time) (err error) {
	copied := false
	err = s.Read(ctx, func(tx store.Reader) error {
		copied, err = tx.CopiedWebhooks()
		return err
	})
	if err != nil || !copied {
		return err
	}
	return s.Write(ctx, store.AllTenants, func(tx store.Writer) error { return tx.RenewWebhooks(now) })
}

// Start starts the senders. Close ends them.
func Start(c Config) *Senders {
	ctx, stop := context.WithCancel(context.Background())
	c.Store = shared{c.Store, make(chan struct{}, mostCalls)}
	s := &Senders{Config: c, owner: c.Node + " " + uuid.NewString(), poster: NewPoster(), stop: stop, woken: make(chan struct{})}
	s.ended.Go(func() { s.run(ctx) })
	return s
}

// shared is a store that mostCalls senders use at a time.
type shared struct {
	store.Store
	slots chan struct{}
}

// Read implements store.Store.
func (s shared) Read(ctx context.Context, f func(store.Reader) error) error {
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	return s.Store.Read(ctx, f)
}

// Write implements store.Store.
func (s shared) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	return s.Store.Write(ctx, tenant, f)
}

// Close ends the senders, in the middle of a try. Other processes can claim their webhooks.
func (s *Senders) Close() {
	s.stop()
	s.ended.Wait()
	s.poster.Close()
}

// Wake makes all look now for what there is to do.
func (s *Senders) Wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.woken)
	s.woken = make(chan struct{})
}

func (s *Senders) wakes() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.woken
}

// run has a sender for each webhook that is claimed.
func (s *Senders) run(ctx context.Context) {
	running := map[int64]*sender{}
	for ctx.Err() == nil {
		woken := s.wakes()
		s.claim(ctx, running)
		select {
		case <-ctx.Done():
		case <-woken:
		case <-time.After(look):
		}
	}
	claimed := len(running) > 0
	for _, one := range running {
		one.stop()
		<-one.ended
	}
	if claimed {
		_, _ = s.Store.ClaimWebhooks(context.Background(), s.owner, 0) // else the leases run out
	}
}

func (s *Senders) claim(ctx context.Context, running map[int64]*sender) {
	until := time.Now().Add(leaseTime)
	ids, err := s.Store.ClaimWebhooks(ctx, s.owner, leaseTime)
	if err != nil {
		if ctx.Err() == nil {
			s.Log.Warn("webhooks get no events", "error", err) // the senders end with their leases
		}
		return
	}
	for _, id := range ids {
		one := running[id]
		if one == nil || one.over() {
			one = s.start(ctx, id, until)
			running[id] = one
		}
		one.until.Store(until.UnixNano())
	}
	for id, one := range running {
		if one.until.Load() < until.UnixNano() { // removed, or another process has it
			one.stop()
			<-one.ended
			delete(running, id)
		}
	}
}
