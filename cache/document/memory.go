package document

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"paperfs/remote"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// key identifies one answer of the service.
type key struct {
	doc Doc
	id  int64  // paper or category; 0 for an answer about the tenant
	arg string // query, name of a setting or field, checkout type, job
}

type entry struct {
	value   any
	size    int64
	fetched time.Time     // when the request started
	slept   time.Duration // Options.Slept at that time
	dropped bool          // it is no answer any more; compare still needs what a paper had
}

// overhead is what an entry costs besides its bytes, so that a budget also bounds many
// small entries.
const overhead = 256

// answer is an entry with its key.
type answer struct {
	key
	entry
}

// flight is one request that any number of readers wait for. They may read value and err
// once done is closed.
type flight struct {
	done  chan struct{}
	value any
	err   error
	// stale, guarded by memory.mu, means that a local write has happened since the request
	// started, so its answer must not be cached.
	stale bool
}

// memory is an LRU cache with a limit in bytes, whose entries expire, with one request at
// a time for each key. The newest entry stays even if it exceeds the budget: reading a
// paper page by page must not fetch it once per page.
type memory struct {
	now    func() time.Time
	slept  func() time.Duration
	budget int64 // bytes
	saver  *saver

	mu      sync.Mutex // guards what follows; never held over a request
	entries *simplelru.LRU[key, entry]
	used    int64
	flights map[key]*flight
}

func newMemory(budget int64, now func() time.Time, slept func() time.Duration, k *saver) (*memory, error) {
	m := &memory{now: now, slept: slept, budget: budget, saver: k, flights: map[key]*flight{}}
	var err error
	m.entries, err = simplelru.NewLRU(math.MaxInt, func(_ key, e entry) { m.used -= e.size })
	return m, err
}

// fetch returns the answer for k: the one in memory if it is younger than ttl, else the
// result of get, which also returns the answer's size in bytes. Concurrent callers share
// one call of get, with a context that no caller can cancel. They share its failure too,
// which is not cached. A caller whose context ends returns the context's error.
func fetch[T any](ctx context.Context, m *memory, k key, ttl time.Duration, get func(context.Context) (T, int64, error)) (T, error) {
	var none T
	m.mu.Lock()
	if e, ok := m.entries.Get(k); ok && m.young(e, ttl) {
		m.mu.Unlock()
		return e.value.(T), nil
	}
	f, running := m.flights[k]
	if !running {
		f = &flight{done: make(chan struct{})}
		m.flights[k] = f
		began, slept := m.now(), m.slept()
		go func() {
			value, size, err := get(context.WithoutCancel(ctx))
			m.land(k, f, entry{value, size, began, slept, false}, err)
		}()
	}
	m.mu.Unlock()

	select {
	case <-f.done:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	if f.err != nil {
		return none, f.err
	}
	return f.value.(T), nil
}

// land ends a flight: it caches the answer, unless a write made it stale, and wakes the
// waiting readers. If the service is unreachable, it returns the cached answer, however
// old.
func (m *memory) land(k key, f *flight, e entry, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.flights[k] == f {
		delete(m.flights, k)
	}
	f.value, f.err = e.value, err
	if !f.stale {
		switch old, held := m.entries.Peek(k); {
		case err == nil:
			m.addLocked(k, e)
			m.saver.dirty.Ring()
		case held && !old.dropped && unanswered(err):
			f.value, f.err = old.value, nil
		}
	}
	close(f.done)
}

func (m *memory) addLocked(k key, e entry) {
	m.entries.Remove(k)
	m.entries.Add(k, e)
	m.used += e.size
	for m.used > m.budget && m.entries.Len() > 1 {
		m.entries.RemoveOldest()
	}
}

// young reports whether an answer is younger than ttl, counting the time in which the
// machine was suspended. An answer from the future is not: the clock was set back.
func (m *memory) young(e entry, ttl time.Duration) bool {
	age := m.now().Sub(e.fetched) + m.slept() - e.slept
	return !e.dropped && age >= 0 && age < ttl
}

// peek returns the value in memory for k, and whether it is younger than ttl, without
// counting as a use.
func (m *memory) peek(k key, ttl time.Duration) (value any, fresh, ok bool) {
	if e, held := m.held(k); held && !e.dropped {
		return e.value, m.young(e, ttl), true
	}
	return nil, false, false
}

// held returns the entry for k, a dropped one, too, without counting as a use.
func (m *memory) held(k key) (e entry, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries.Peek(k)
}

// forget drops the answers that match, of structures all but what compare needs, and marks matching requests under way as stale.
func (m *memory) forget(match func(key) bool) {
	defer m.saver.discard()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.entries.Keys() {
		if !match(k) {
			continue
		}
		e, _ := m.entries.Peek(k)
		if _, e.dropped = e.value.(*structure); e.dropped {
			m.entries.Add(k, e)
		} else {
			m.entries.Remove(k)
		}
	}
	for k, f := range m.flights {
		if match(k) {
			f.stale = true
			delete(m.flights, k)
		}
	}
}

// all returns the answers in memory, least recently used first.
func (m *memory) all() []answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	answers := make([]answer, 0, m.entries.Len())
	for _, k := range m.entries.Keys() {
		if e, _ := m.entries.Peek(k); !e.dropped {
			answers = append(answers, answer{k, e})
		}
	}
	return answers
}

// unanswered reports whether err means that the service did not answer, rather than that
// it refused.
func unanswered(err error) bool {
	var e *remote.Error
	return errors.As(err, &e) && (e.Kind == remote.Unreachable || e.Kind == remote.Stalled)
}
