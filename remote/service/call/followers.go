package call

import (
	"context"
	"sync"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const (
	// mostFollowers is how many requests of a tenant this process holds.
	mostFollowers = 1000
	// LookPause is how long a change by another process waits until somebody looks for it.
	LookPause = 250 * time.Millisecond
	// lookGap is between two looks: who changes much wakes those who are held 20 times a second at most.
	// A change after a quiet time is told at once.
	lookGap = 50 * time.Millisecond
)

// Followers are the held requests, and the webhooks that this process sends for. While there are any, one goroutine looks at the log of changes for all of them:
// after each change by this process, and from time to time for those by others. A held request has no transaction.
type Followers struct {
	Store store.Store

	mu      sync.Mutex           // guards all below; nothing is awaited under it
	tenants map[int64]*following // of tenants that anybody follows
	looking bool                 // the goroutine runs
	looks   sync.WaitGroup
	changed chan struct{} // has one element when there may be something new
	Ended   chan struct{} // closed when no request is held any more
	End     func()
}

// following is a tenant with followers.
type following struct {
	held int
	last int64         // the newest row of the log that is known
	news chan struct{} // closed when there is a newer one
}

func newFollowers(s store.Store) *Followers {
	f := &Followers{Store: s, tenants: map[int64]*following{}, changed: make(chan struct{}, 1), Ended: make(chan struct{})}
	f.End = sync.OnceFunc(func() { close(f.Ended) })
	return f
}

// join adds a request of a tenant; false if it has too many. Each needs its leave.
func (f *Followers) join(tenant int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tenants[tenant]
	if t == nil {
		t = &following{last: -1, news: make(chan struct{})} // -1: the first look tells, whatever happened before it
		f.tenants[tenant] = t
	}
	if t.held == mostFollowers {
		return false
	}
	t.held++
	if !f.looking {
		f.looking = true
		f.looks.Go(f.look)
	}
	return true
}

// Follow is join for a webhook.
func (f *Followers) Follow(tenant int64) (news func() <-chan struct{}, end func()) {
	if !f.join(tenant) {
		return func() <-chan struct{} { return nil }, func() {}
	}
	return func() <-chan struct{} { return f.News(tenant) }, func() { f.leave(tenant) }
}

// Count returns how many requests are held.
func (f *Followers) Count() (held int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.tenants {
		held += t.held
	}
	return held
}

func (f *Followers) leave(tenant int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tenants[tenant]
	if t.held--; t.held == 0 {
		delete(f.tenants, tenant)
	}
	if len(f.tenants) == 0 {
		f.hurry() // it ends
	}
}

// News returns what is closed when a tenant has something newer than what a read that begins now finds.
func (f *Followers) News(tenant int64) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tenants[tenant].news
}

// hurry makes the goroutine look now.
func (f *Followers) hurry() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// wrote is called after a change.
func (f *Followers) wrote(tenant int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tenants[tenant] != nil || tenant == store.AllTenants && len(f.tenants) > 0 {
		f.hurry()
	}
}

// look tells followers of what is new, until nobody follows.
func (f *Followers) look() {
	for {
		tenants := f.followed()
		if len(tenants) == 0 {
			return
		}
		gap := time.After(lookGap)
		last := make([]int64, len(tenants))
		err := f.Store.Read(context.Background(), func(tx store.Reader) (err error) {
			for i, tenant := range tenants {
				if last[i], err = tx.LastEvent(tenant); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil { // else the next look finds it, and the calls tell what is wrong
			f.tell(tenants, last)
		}
		select {
		case <-f.changed:
		case <-time.After(LookPause):
		}
		select {
		case <-gap:
		case <-f.Ended:
		}
	}
}

// followed returns the tenants that are followed. If there are none, the goroutine has to end.
func (f *Followers) followed() (tenants []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for tenant := range f.tenants {
		tenants = append(tenants, tenant)
	}
	f.looking = len(tenants) > 0
	return tenants
}

func (f *Followers) tell(tenants, last []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, tenant := range tenants {
		if t := f.tenants[tenant]; t != nil && t.last != last[i] {
			t.last = last[i]
			close(t.news)
			t.news = make(chan struct{})
		}
	}
}

// Close ends all requests, and waits for the goroutine: the records are closed after it.
func (f *Followers) Close() {
	f.End()
	f.hurry()
	f.looks.Wait()
}

// followed is a store that tells followers of each change.
type followed struct {
	store.Store
	followers *Followers
}

// Write implements store.Store.
func (s followed) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	err := s.Store.Write(ctx, tenant, f)
	s.followers.wrote(tenant)
	return err
}

// follow makes the call one of those that are held. It is over when end was called.
func (c *Call) follow() (end func(), err error) {
	if c.op != remote.Wait {
		return func() {}, nil
	}
	if !c.Service.Followers.join(c.Tenant.ID) {
		return nil, c.Service.tooMany("Too many requests of this tenant are held: ask from time to time.", remote.MostWait)
	}
	tenant := c.Tenant.ID
	return func() { c.Service.Followers.leave(tenant) }, nil
}
