package document

import (
	"sync"
	"time"

	"paperfs/remote"
)

// A job that is pending is asked for again after a share of the time that it
// has been seen pending, so that its end is known soon after, as a job goes:
// `paperfs wait` returns within a quarter of the time that the job took. A shorter first pause
// would take more than half of a minute's requests.
const (
	pollShare = 4 // one part in so many of the time since the first answer
	minPoll   = 300 * time.Millisecond
	maxPoll   = 10 * time.Second
)

// polls remembers for pending jobs when they may be asked for again.
type pollSchedule struct {
	mu   sync.Mutex // guards next
	jobs map[string]poll
}

type poll struct{ first, asked, next time.Time }

func (p *pollSchedule) due(guid string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	next, ok := p.jobs[guid]
	return !ok || !now.Before(next.next)
}

// lastAsked is when a pending job was last asked for; zero where it was not.
func (p *pollSchedule) lastAsked(guid string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.jobs[guid].asked
}

// answered notes an answer; status says whether another is to come.
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

func (p *pollSchedule) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jobs = nil
}
