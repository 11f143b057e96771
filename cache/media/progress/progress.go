// Package progress tracks the uploads in progress, and how much of each was sent.
package progress

import (
	"sync"

	"paperfs/cache/media/spool"
)

// Table is the set of uploads in progress. Its zero value is empty.
type Table struct{ underWay sync.Map } // of *spool.Content

// Begin adds an upload.
func (t *Table) Begin(c *spool.Content) { t.underWay.Store(c, nil) }

// End undoes Begin.
func (t *Table) End(c *spool.Content) { t.underWay.Delete(c) }

// List returns the uploads in progress, in no order.
func (t *Table) List() (list []*spool.Content) {
	for c := range t.underWay.Range {
		list = append(list, c.(*spool.Content))
	}
	return list
}

// Idle reports whether no upload is in progress.
func (t *Table) Idle() bool { return len(t.List()) == 0 }

// ByPath returns the number of bytes sent per upload in progress.
func (t *Table) ByPath() map[string]int64 {
	sent := make(map[string]int64)
	for _, c := range t.List() {
		sent[c.Path] = c.Sent()
	}
	return sent
}
