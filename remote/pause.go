package remote

import (
	"context"
	"sync"
	"time"
)

// pauses are those between the attempts of calls.
type pauses struct {
	mu   sync.Mutex
	ends map[*request]time.Time // guarded by mu
}

// pause waits before a call is repeated.
func (c *Client) pause(ctx context.Context, r *request, d time.Duration) error {
	c.pauses.set(r, c.clock.Now().Add(d))
	defer c.pauses.done(r)
	return c.clock.Sleep(ctx, d)
}

func (p *pauses) set(r *request, end time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ends == nil {
		p.ends = map[*request]time.Time{}
	}
	p.ends[r] = end
}

func (p *pauses) done(r *request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.ends, r)
}

// next counts the pauses and gives the end of the first.
func (p *pauses) next() (count int, first time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, end := range p.ends {
		if first.IsZero() || end.Before(first) {
			first = end
		}
	}
	return len(p.ends), first
}
