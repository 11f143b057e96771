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
	// hitsLimit is how long a write may wait for its turn.
	hitsLimit = 5 * time.Second
	// mostHits is how many papers, days and pages are counted in memory at the most.
	mostHits = 100_000
)

// Hits are what was counted and is not written yet. Each tenant's are written in one change,
// some seconds after the first of them, and at the end. Nothing runs while there are none.
type Hits struct {
	store  store.Store
	log    *slog.Logger
	every  time.Duration
	limits hitLimits

	mu      sync.Mutex                       // guards the next two; taken alone
	counted map[int64]map[hitDay]*store.Hits // by tenant
	size    int                              // of papers, days and pages

	some, now chan struct{} // something is counted; it is to be written now: each has room for one
	end       chan struct{} // closed
	ended     sync.WaitGroup
}

type hitDay struct {
	paper int64
	day   store.Day
}

// StartHits begins to count. Close ends it.
func StartHits(s store.Store, log *slog.Logger) *Hits { return startHits(s, log, hitsEvery) }

func startHits(s store.Store, log *slog.Logger, every time.Duration) *Hits {
	h := &Hits{store: s, log: log, every: every, some: make(chan struct{}, 1), now: make(chan struct{}, 1), end: make(chan struct{})}
	h.ended.Go(h.run)
	return h
}

// Write has what was counted written now.
func (h *Hits) Write() { signal(h.now) }

// Close writes what was counted. Nothing may be counted after it.
func (h *Hits) Close() {
	if h == nil {
		return
	}
	close(h.end)
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
	if h.size > mostHits-len(seen.pages) {
		signal(h.now)
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

func (h *Hits) run() {
	for {
		select {
		case <-h.some:
		case <-h.end:
			h.last()
			return
		}
		soon := time.NewTimer(h.every)
		select {
		case <-soon.C:
			h.write()
		case <-h.now:
			soon.Stop()
			h.write()
		case <-h.end:
			soon.Stop()
			h.last()
			return
		}
	}
}

// last writes what is left when counting ends.
func (h *Hits) last() {
	h.write()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.size > 0 {
		h.log.Warn("page views are lost: they cannot be written, and the service ends", "papers, days and pages", h.size)
	}
}

var errWindow = errors.New("a maintenance window is open")

// write writes what was counted. What cannot be written waits for the next time.
func (h *Hits) write() {
	h.mu.Lock()
	all := h.counted
	h.counted, h.size = nil, 0
	h.mu.Unlock()
	for tenant, papers := range all {
		hits := make([]store.Hits, 0, len(papers))
		for _, one := range papers {
			hits = append(hits, *one)
		}
		err := h.writeTenant(tenant, hits)
		if err == nil || store.IsNotFound(err) { // the tenant is gone
			continue
		}
		if err != errWindow {
			h.log.Error("page views wait to be written", "tenant", tenant, "error", err)
		}
		h.giveBack(tenant, hits)
	}
}

func (h *Hits) writeTenant(tenant int64, hits []store.Hits) error {
	ctx, stop := context.WithTimeout(context.Background(), hitsLimit)
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

// giveBack keeps what was not written, as far as there is room.
func (h *Hits) giveBack(tenant int64, hits []store.Hits) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range hits {
		if h.size > mostHits-1-len(one.Views) {
			continue
		}
		h.add(tenant, one)
	}
	signal(h.some)
}
