package document

import (
	"context"
	"sync"
)

// others has the last job of each paper that this mount has seen and not begun.
type others struct {
	mu   sync.Mutex
	jobs map[int64]string // GUIDs
}

func (o *others) set(paper int64, guid string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.jobs == nil {
		o.jobs = map[int64]string{}
	}
	o.jobs[paper] = guid
}

func (o *others) drop(paper int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.jobs, paper)
}

func (o *others) of(paper int64) (guid string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.jobs[paper]
}

// paperOf returns the paper of a job.
func (o *others) paperOf(guid string) (paper int64, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for paper, job := range o.jobs {
		if job == guid {
			return paper, true
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
		c.others.set(paper, guid)
	}
}

// othersJob returns the job of others that came after the last one from here, which is its default.
func (c *Cache) othersJob(ctx context.Context, paper int64, last Job, known bool) (job Job, ok bool, err error) {
	guid := c.others.of(paper)
	if guid == "" {
		return last, known, nil
	}
	job, err = c.Job(ctx, guid)
	return job, err == nil, err
}
