package document

import (
	"sync"
	"time"

	"paperfs/remote"
)

// The pause before a pending job is polled again is a share of the time since its first
// poll. So its end is noticed soon in proportion: `paperfs wait` returns within a quarter
// of the time that the job took. A shorter first pause would use more than half of the
// requests that are allowed per minute.
const (
	pollShare = 4 // the pause is the time since the first answer divided by pollShare
	minPoll   = 300 * time.Millisecond
	maxPoll   = 10 * time.Second
)

// pollSchedule records when each pending job may be polled again.
type pollSchedule struct {
	mu   sync.Mutex // guards jobs
	jobs map[string]poll
}

type poll struct{ first, asked, next time.Time }

func (p *pollSchedule) due(guid string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	next, ok := p.jobs[guid]
	return !ok || !now.Before(next.next)
}

// lastAsked returns when a pending job was last polled, or the zero time.
func (p *pollSchedule) lastAsked(guid string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.jobs[guid].asked
}

// answered records an answer, and forgets a job that has ended.
func (p *pollSchedule) answered(guid string, status remote.JobStatus, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if status != remote.JobPending {
		delete(p.jobs, guid)
		return
	}
	if p.jobs == nil {
		p.jobs = map[string]poll{}
	}
	job, known := p.jobs[guid]
	if !known {
		job.first = now
	}
	job.asked = now
	job.next = now.Add(min(max(now.Sub(job.first)/pollShare, minPoll), maxPoll))
	p.jobs[guid] = job
}

// hurry makes a pending job due now.
func (p *pollSchedule) hurry(guid string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if job, known := p.jobs[guid]; known {
		job.next = time.Time{}
		p.jobs[guid] = job
	}
}

func (p *pollSchedule) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jobs = nil
}
