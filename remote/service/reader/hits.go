package reader

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"paperfs/remote/service/store"
)

const (
	// hitsEvery is how long what was counted waits to be written: so much of it a crash loses.
	hitsEvery = 10 * time.Second
	// hitsLimit is how long a change may wait for its turn. When the service ends none is tried
	// after twice as long.
	hitsLimit = 5 * time.Second
	// hitsTogether is how many papers, days and pages one change writes: others wait for it.
	hitsTogether = 5_000
	// mostHits is how many papers, days and pages are counted in memory at the most.
	mostHits = 100_000
)

// Hits are what was counted and is not written yet. Each tenant's are written in one change, or
// in some where there are many, some seconds after the first of them, and at the end. Nothing
// runs while there are none.
type Hits struct {
	store  store.Store
	log    *slog.Logger
	every  time.Duration
	limit  time.Duration // of the wait of a change
	limits hitLimits

	mu      sync.Mutex                       // guards the next three; taken alone
	counted map[int64]map[hitDay]*store.Hits // by tenant
	size    int                              // papers, days and pages of counted, and of what is being written
	waits   bool                             // they could not be written when that was tried last

	unsure []unsureHits // of run alone; their room is in size

	some, now chan struct{} // something is counted; it is to be written now: each has room for one
	end       context.CancelFunc
	ended     sync.WaitGroup
}

type hitDay struct {
	paper int64
	day   store.Day
}

// unsureHits are hits whose change was cut off at its end. They are not written again
// before it is known that they were not: nobody may count them twice.
type unsureHits struct {
	tenant int64
	hits   []store.Hits
	kept   func(context.Context) (bool, error)
}

// StartHits begins to count. Close ends it.
func StartHits(s store.Store, log *slog.Logger) *Hits { return startHits(s, log, hitsEvery, hitsLimit) }

func startHits(s store.Store, log *slog.Logger, every, limit time.Duration) *Hits {
	h := &Hits{store: s, log: log, every: every, limit: limit, some: make(chan struct{}, 1), now: make(chan struct{}, 1)}
	ctx, end := context.WithCancel(context.Background())
	h.end = end
	h.ended.Go(func() { h.run(ctx) })
	return h
}

// Write has what was counted written now.
func (h *Hits) Write() { signal(h.now) }

// Close writes what was counted. Nothing may be counted after it.
func (h *Hits) Close() {
	if h == nil {
		return
	}
	h.end()
	h.ended.Wait()
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// count counts pages of a paper, and whether a visit began. It reports false where there is
// no room.
func (h *Hits) count(tenant, paper int64, day store.Day, seen hitForm) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.size > mostHits-1-len(seen.pages) {
		if !h.waits { // else another try comes in its time
			signal(h.now)
		}
		return false
	}
	hits := store.Hits{Paper: paper, Day: day, Views: map[int]int64{}}
	if seen.visit {
		hits.Visits = 1
	}
	for _, page := range seen.pages {
		hits.Views[page]++
	}
	h.add(tenant, hits)
	signal(h.some)
	return true
}

// add is called with mu held.
func (h *Hits) add(tenant int64, more store.Hits) {
	if h.counted == nil {
		h.counted = map[int64]map[hitDay]*store.Hits{}
	}
	papers := h.counted[tenant]
	if papers == nil {
		papers = map[hitDay]*store.Hits{}
		h.counted[tenant] = papers
	}
	at := papers[hitDay{more.Paper, more.Day}]
	if at == nil {
		at = &store.Hits{Paper: more.Paper, Day: more.Day, Views: map[int]int64{}}
		papers[hitDay{more.Paper, more.Day}] = at
		h.size++
	}
	at.Visits += more.Visits
	h.size -= len(at.Views)
	for page, views := range more.Views {
		at.Views[page] += views
	}
	h.size += len(at.Views)
}

// run writes until ctx ends, and then what is left.
func (h *Hits) run(ctx context.Context) {
	for {
		select {
		case <-h.some:
		case <-ctx.Done():
			h.last()
			return
		}
		soon := time.NewTimer(h.every)
		select {
		case <-soon.C:
			h.write(ctx)
		case <-h.now:
			soon.Stop()
			h.write(ctx)
		case <-ctx.Done():
			soon.Stop()
			h.last()
			return
		}
	}
}

// last writes what is left when counting ends.
func (h *Hits) last() {
	ctx, stop := context.WithTimeout(context.Background(), 2*h.limit)
	defer stop()
	h.write(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.size > 0 {
		h.log.Warn("page views are lost: they cannot be written, and the service ends", "papers, days and pages", h.size)
	}
}

var errWindow = errors.New("a maintenance window is open")

// write writes what was counted. What cannot be written waits for the next time, and what is not
// begun when ctx ends.
func (h *Hits) write(ctx context.Context) {
	h.settle(ctx)
	h.mu.Lock()
	all := h.counted
	h.counted = nil
	h.mu.Unlock()
	for tenant, papers := range all {
		hits := make([]store.Hits, 0, len(papers))
		for _, one := range papers {
			hits = append(hits, *one)
		}
		h.writeAll(ctx, tenant, hits)
	}
}

// settle asks what became of hits whose change was cut off. What nobody can know any more
// is taken for written: what is lost is less wrong than what is counted twice.
func (h *Hits) settle(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, h.limit)
	defer stop()
	for len(h.unsure) > 0 {
		u := h.unsure[0]
		kept, err := u.kept(ctx)
		switch {
		case store.IsNotFound(err):
			h.log.Warn("page views may be lost: whether they were written cannot be known", "tenant", u.tenant, "papers, days and pages", rows(u.hits...))
			h.done(u.hits)
		case err != nil:
			signal(h.some)
			return
		case kept:
			h.done(u.hits)
		default:
			h.giveBack(u.tenant, u.hits)
		}
		h.unsure = h.unsure[1:]
	}
}

func (h *Hits) writeAll(ctx context.Context, tenant int64, hits []store.Hits) {
	for len(hits) > 0 {
		n := together(hits)
		err := ctx.Err()
		if err == nil {
			err = h.writeSome(tenant, hits[:n])
		}
		if store.IsNotFound(err) { // the tenant is gone
			h.done(hits)
			return
		}
		if err != nil {
			if err != errWindow && err != ctx.Err() {
				h.log.Error("page views wait to be written", "tenant", tenant, "error", err)
			}
			if unsure, ok := errors.AsType[*store.UnsureError](err); ok {
				h.unsure = append(h.unsure, unsureHits{tenant, hits[:n:n], unsure.Kept})
				hits = hits[n:]
			}
			h.giveBack(tenant, hits)
			return
		}
		h.done(hits[:n])
		hits = hits[n:]
	}
}

// rows is how many papers, days and pages hits have.
func rows(hits ...store.Hits) (n int) {
	for _, one := range hits {
		n += 1 + len(one.Views)
	}
	return n
}

// together is how many of hits are written in one change: one, or more that are small.
func together(hits []store.Hits) int {
	n := 1
	for size := rows(hits[0]); n < len(hits); n++ {
		if size += rows(hits[n]); size > hitsTogether {
			break
		}
	}
	return n
}

func (h *Hits) writeSome(tenant int64, hits []store.Hits) error {
	ctx, stop := context.WithTimeout(context.Background(), h.limit)
	defer stop()
	return h.store.Write(ctx, tenant, func(tx store.Writer) error {
		readOnly, err := tx.ReadOnly()
		if err != nil {
			return err
		}
		if readOnly {
			return errWindow
		}
		return tx.AddHits(tenant, hits)
	})
}

// done gives the room of what was written to others.
func (h *Hits) done(hits []store.Hits) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.size -= rows(hits...)
	h.waits = false
}

// giveBack keeps what was not written, in the room that it has.
func (h *Hits) giveBack(tenant int64, hits []store.Hits) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.size -= rows(hits...)
	for _, one := range hits {
		h.add(tenant, one)
	}
	h.waits = true
	signal(h.some)
}
