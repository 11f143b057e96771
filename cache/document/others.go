package document

import (
	"sync"
)

// others has the last job of each paper that this mount has seen and not begun.
type others struct{ byPaper sync.Map } // GUIDs

// paperOf returns the paper of a job.
func (o *others) paperOf(guid string) (paper int64, ok bool) {
	for p, job := range o.byPaper.Range {
		if job == guid {
			return p.(int64), true
		}
	}
	return 0, false
}

// seeOthers notes the job of a paper, unless it is from here, or may be older than one from here.
func (c *Cache) seeOthers(paper int64, name string) {
	guid, ok := JobName(name)
	if !ok {
		return // of a service that does not tell which job it is
	}
	_, ours := c.paperOf(guid)
	if pending, err := c.pending(paper); !ours && err == nil && len(pending) == 0 {
		c.others.byPaper.Store(paper, guid)
	}
}
