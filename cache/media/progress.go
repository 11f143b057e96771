package media

import (
	"slices"
	"strings"
	"time"

	"paperfs/cache/media/lock"
)

// Upload is one upload that is under way or waits.
type Upload struct {
	Path    string // below media/, or Place of a paper's PDF
	Place   string // from the mount's root
	Sent    int64  // bytes read for sending; starts again when the request is repeated
	Total   int64
	Since   time.Time // zero while it waits
	Waiting bool
}

// progress knows the uploads under way.
type progress struct {
	mu       lock.Mutex[lock.Progress]
	underWay map[*outgoing]bool // guarded by mu
	drafts   int                // guarded by mu: PDFs whose last release came and which are not put where they belong
}

// draftReleased counts a PDF in, or by -1 out.
func (p *progress) draftReleased(by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drafts += by
}

// idle reports whether nothing is under way.
func (p *progress) idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.underWay) == 0 && p.drafts == 0
}

func (p *progress) begin(c *outgoing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.underWay == nil {
		p.underWay = make(map[*outgoing]bool)
	}
	p.underWay[c] = true
}

func (p *progress) end(c *outgoing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.underWay, c)
}

// Uploads lists what is under way, then what waits, each by path.
func (s *Store) Uploads() []Upload {
	var list []Upload
	s.progress.mu.Lock()
	for c := range s.progress.underWay {
		list = append(list, Upload{Path: strings.TrimPrefix(c.path, "/"), Place: placeOf(c.path), Sent: min(c.sent.Load(), c.size), Total: c.size, Since: c.since})
	}
	s.progress.mu.Unlock()
	s.mu.RLock()
	for _, i := range s.outbox.List() {
		if i.State.Active() {
			continue // among those under way, or about to be
		}
		n := i.Key.node
		list = append(list, Upload{Path: n.path(), Place: placeOf(n.path()), Total: n.size, Waiting: true})
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
