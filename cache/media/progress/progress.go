// Package progress knows the uploads that are under way, and how much of each was read.
package progress

import (
	"maps"
	"slices"

	"paperfs/cache/media/lock"
	"paperfs/cache/media/spool"
)

// Table is the uploads under way. Its zero value has none.
type Table struct {
	mu       lock.Mutex[lock.Progress]
	underWay map[*spool.Content]bool // guarded by mu
}

// Begin notes that an upload of c begins.
func (t *Table) Begin(c *spool.Content) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.underWay == nil {
		t.underWay = make(map[*spool.Content]bool)
	}
	t.underWay[c] = true
}

// End undoes Begin.
func (t *Table) End(c *spool.Content) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.underWay, c)
}

// List is what is under way, in no order.
func (t *Table) List() []*spool.Content {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.underWay))
}

// Idle reports whether nothing is under way.
func (t *Table) Idle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.underWay) == 0
}

// ByPath is how much was sent of each upload under way.
func (t *Table) ByPath() map[string]int64 {
	sent := make(map[string]int64)
	for _, c := range t.List() {
		sent[c.Path] = c.Sent()
	}
	return sent
}
