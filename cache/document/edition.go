package document

import (
	"sync"
	"time"
)

// editions has the time at which this mount last may have replaced the edition of a paper, or seen that a job of its
// own had: the service does not tell the edition that the end of a job makes.
type editions struct {
	mu sync.Mutex
	at map[int64]time.Time
}

func (e *editions) replaced(paper int64, at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.at == nil {
		e.at = map[int64]time.Time{}
	}
	e.at[paper] = at
}

func (e *editions) last(paper int64) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at[paper]
}

// SameEdition reports whether nothing of this mount can have replaced the edition that a paper had in a tree fetched
// at that time: no PDF, no job that ended, and no change of a media file, to which the paper may link.
func (l *Cache) SameEdition(paper int64, fetched time.Time) bool {
	pending, err := l.pending(paper)
	return err == nil && len(pending) == 0 && fetched.After(l.sent.last(paper)) && fetched.After(l.service.MediaChanged())
}
