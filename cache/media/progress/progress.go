// Package progress tracks the uploads in progress, and how much of each was sent.
package progress

import (
	"maps"
	"slices"

	"paperfs/cache/media/lock"
	"paperfs/cache/media/spool"
)

// Table is the set of uploads in progress. Its zero value is empty.
type Table struct {
	mu       lock.Mutex[lock.Progress]
	underWay map[*spool.Content]bool // guarded by mu
}

// Begin adds an upload.
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

// List returns the uploads in progress, in no order.
func (t *Table) List() []*spool.Content {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.underWay))
}

// Idle reports whether no upload is in progress.
func (t *Table) Idle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.underWay) == 0
}

// ByPath returns the number of bytes sent per upload in progress.
func (t *Table) ByPath() map[string]int64 {
	sent := make(map[string]int64)
	for _, c := range t.List() {
		sent[c.Path] = c.Sent()
	}
	return sent
}
