package media

import (
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"paperfs/remote"
)

// Upload is one upload that is under way or waits.
type Upload struct {
	Path    string // below media/
	Sent    int64  // bytes read for sending; starts again when the request is repeated
	Total   int64
	Since   time.Time // zero while it waits
	Waiting bool
}

// progress knows the uploads under way.
type progress struct {
	mu   sync.Mutex
	jobs map[*job]bool // guarded by mu
}

// job is content on its way: it counts what is read of the newest reading.
type job struct {
	remote.Content
	path  string
	since time.Time
	sent  atomic.Int64
}

func (p *progress) begin(path string, since time.Time, c remote.Content) *job {
	j := &job{Content: c, path: path, since: since}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.jobs == nil {
		p.jobs = make(map[*job]bool)
	}
	p.jobs[j] = true
	return j
}

func (p *progress) end(j *job) {
	p.mu.Lock()
	delete(p.jobs, j)
	p.mu.Unlock()
}

// Measure implements remote.Measured.
func (j *job) Measure() *remote.Measure {
	if m, ok := j.Content.(remote.Measured); ok {
		return m.Measure()
	}
	return nil
}

func (j *job) Open() (io.ReadCloser, error) {
	r, err := j.Content.Open()
	if err != nil {
		return nil, err
	}
	j.sent.Store(0)
	return &counted{r, j}, nil
}

// Finish implements remote.Finisher.
func (j *job) Finish() error {
	if f, ok := j.Content.(remote.Finisher); ok {
		return f.Finish()
	}
	return nil
}

type counted struct {
	io.ReadCloser
	job *job
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.job.sent.Add(int64(n))
	return n, err
}

// Uploads lists what is under way, then what waits, each by path.
func (s *Store) Uploads() []Upload {
	var list []Upload
	s.progress.mu.Lock()
	for j := range s.progress.jobs {
		list = append(list, Upload{Path: j.path, Sent: min(j.sent.Load(), j.Size()), Total: j.Size(), Since: j.since})
	}
	s.progress.mu.Unlock()
	s.mu.RLock()
	for _, i := range s.outbox.List() {
		if i.State.Active() {
			continue // among those under way, or about to be
		}
		n := i.Key.node
		list = append(list, Upload{Path: n.path(), Total: n.size, Waiting: true})
	}
	s.mu.RUnlock()
	slices.SortFunc(list, func(a, b Upload) int {
		if a.Waiting != b.Waiting {
			if a.Waiting {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Path, b.Path)
	})
	return list
}
