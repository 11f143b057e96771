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
	// hitsEvery is the delay before hits are written. A crash loses the hits of this time.
	hitsEvery = 10 * time.Second
	// hitsLimit is how long a store change may wait for its turn. At shutdown, no change starts
	// after twice this time.
	hitsLimit = 5 * time.Second
	// hitsTogether is the number of rows (see rows) that one change writes: other changes
	// wait for it.
	hitsTogether = 5_000
	// mostHits is the largest number of rows in memory.
	mostHits = 100_000
)

// Hits keeps page views and clicks in memory and writes them a few seconds after the first, and on Close.
// The views of a tenant are written in one store change, or in several if there are many. The
// goroutine sleeps while there are none.
type Hits struct {
	store  store.Store
	log    *slog.Logger
	every  time.Duration
	limit  time.Duration // how long a change may wait
	limits hitLimits

	mu      sync.Mutex                       // guards the next three; taken alone
	counted map[int64]map[hitDay]*store.Hits // by tenant
	size    int                              // rows of counted, and of changes in progress
	waits   bool                             // the last attempt to write failed

	arrived, flush chan struct{} // signal a counted hit, and a request to write at once; capacity 1
	end            context.CancelFunc
	ended          sync.WaitGroup
}

type hitDay struct {
	paper int64
	day   store.Day
}

// StartHits starts the goroutine that writes hits. Close stops it.
func StartHits(s store.Store, log *slog.Logger) *Hits { return startHits(s, log, hitsEvery, hitsLimit) }

func startHits(s store.Store, log *slog.Logger, every, limit time.Duration) *Hits {
	h := &Hits{store: s, log: log, every: every, limit: limit, arrived: make(chan struct{}, 1), flush: make(chan struct{}, 1)}
	ctx, end := context.WithCancel(context.Background())
	h.end = end
	h.ended.Go(func() { h.run(ctx) })
	return h
}

// Write starts writing at once, in the background.
func (h *Hits) Write() { signal(h.flush) }

// Close writes the remaining hits. The caller must not count after it.
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

// count counts what a message tells. It returns false if there is no room.
func (h *Hits) count(tenant, paper int64, day store.Day, seen hitForm) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.size > mostHits-1-len(seen.hits) {
		if !h.waits { // otherwise the next attempt is due after h.every
			signal(h.flush)
		}
		return false
	}
	hits := store.Hits{Paper: paper, Day: day, Counts: map[store.Hit]int64{}}
	if seen.visit {
		hits.Visits = 1
	}
	for _, hit := range seen.hits {
		hits.Counts[hit]++
	}
	h.add(tenant, hits)
	signal(h.arrived)
	return true
}

// add adds hits to counted. The caller holds mu.
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
		at = &store.Hits{Paper: more.Paper, Day: more.Day, Counts: map[store.Hit]int64{}}
		papers[hitDay{more.Paper, more.Day}] = at
		h.size++
	}
	at.Visits += more.Visits
	h.size -= len(at.Counts)
	for hit, count := range more.Counts {
		at.Counts[hit] += count
	}
	h.size += len(at.Counts)
}

// run writes hits until ctx ends, and then the rest.
func (h *Hits) run(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-h.arrived:
			select {
			case <-time.After(h.every):
			case <-h.flush:
			case <-ctx.Done():
			}
			h.write(ctx)
		case <-ctx.Done():
		}
	}
	h.last()
}

// last writes the remaining hits at shutdown.
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

// write writes all hits. Hits that cannot be written, and those whose change has not started
// when ctx ends, stay in memory for the next attempt.
func (h *Hits) write(ctx context.Context) {
	h.mu.Lock()
	byTenant := h.counted
	h.counted = nil
	h.mu.Unlock()
	for tenant, papers := range byTenant {
		hits := make([]store.Hits, 0, len(papers))
		for _, one := range papers {
			hits = append(hits, *one)
		}
		h.writeAll(ctx, tenant, hits)
	}
}

// writeAll writes the hits of a tenant. Those of a change whose outcome is unknown are taken as written: losing views is
// better than counting them twice.
func (h *Hits) writeAll(ctx context.Context, tenant int64, hits []store.Hits) {
	for len(hits) > 0 {
		n := together(hits)
		err := ctx.Err()
		if err == nil {
			err = h.writeSome(tenant, hits[:n])
		}
		_, unsure := errors.AsType[*store.UnsureError](err)
		switch {
		case store.IsNotFound(err): // the tenant was deleted
			h.done(hits)
			return
		case unsure:
			h.log.Warn("page views may be lost: whether they were written cannot be known", "tenant", tenant, "papers, days and pages", rows(hits[:n]...), "error", err)
		case err != nil:
			if err != errWindow && err != ctx.Err() {
				h.log.Error("page views wait to be written", "tenant", tenant, "error", err)
			}
			h.giveBack(tenant, hits)
			return
		}
		h.done(hits[:n])
		hits = hits[n:]
	}
}

// rows is the size of hits: one for each paper and day, and one for each of its pages and links.
func rows(hits ...store.Hits) (n int) {
	for _, one := range hits {
		n += 1 + len(one.Counts)
	}
	return n
}

// together returns how many of hits one change writes: at least one, and no more than
// hitsTogether rows otherwise.
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

// done releases the room of hits that are written or given up.
func (h *Hits) done(hits []store.Hits) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.size -= rows(hits...)
	h.waits = false
}

// giveBack returns unwritten hits to counted.
func (h *Hits) giveBack(tenant int64, hits []store.Hits) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.size -= rows(hits...)
	for _, one := range hits {
		h.add(tenant, one)
	}
	h.waits = true
	signal(h.arrived)
}
