package outbox

import (
	"cmp"
	"slices"
	"time"
)

// Item is a key in the outbox.
type Item[K comparable] struct {
	Key      K
	State    State
	Failures int
	Last     error     // error of the last failure, or nil
	Next     time.Time // not sent before this time; zero if only earlier keys delay it
}

// List returns the keys that are being sent, then the rest, each in the order of their
// addition.
func (q *Outbox[K]) List() []Item[K] {
	q.mu.Lock()
	defer q.mu.Unlock()
	sorted := make([]*entry[K], 0, len(q.entries))
	for _, e := range q.entries {
		sorted = append(sorted, e)
	}
	slices.SortFunc(sorted, func(a, b *entry[K]) int {
		if a.state.Active() != b.state.Active() {
			if a.state.Active() {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.order, b.order)
	})
	list := make([]Item[K], len(sorted))
	for i, e := range sorted {
		list[i] = Item[K]{e.key, e.state, e.failures, e.last, q.notBeforeLocked(e)}
	}
	return list
}

// notBeforeLocked returns the time before which an entry is not sent; q.mu must be held.
func (q *Outbox[K]) notBeforeLocked(e *entry[K]) time.Time {
	switch {
	case e.state.Active():
		return time.Time{}
	case e.pause != nil:
		return e.pause.until
	case q.backoff.on:
		return q.backoff.until
	}
	return time.Time{}
}

// Len returns the number of keys.
func (q *Outbox[K]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries)
}

// Idle reports whether the outbox is empty and no Send is in progress.
func (q *Outbox[K]) Idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries) == 0 && q.active == 0
}
