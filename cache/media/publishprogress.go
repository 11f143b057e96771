package media

import (
	"paperfs/cache/media/lock"
	"paperfs/cache/media/spool"
)

// progress knows the uploads under way.
type progress struct {
	mu       lock.Mutex[lock.Progress]
	underWay map[*spool.Content]bool // guarded by mu
	written  map[*Draft]bool         // guarded by mu: those with content that have not ended
	drafts   int                     // guarded by mu: PDFs whose last release came and which are not put where they belong
}

func (p *progress) draftBegins(d *Draft) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.written == nil {
		p.written = make(map[*Draft]bool)
	}
	p.written[d] = true
}

func (p *progress) draftEnds(d *Draft) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.written, d)
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

func (p *progress) begin(c *spool.Content) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.underWay == nil {
		p.underWay = make(map[*spool.Content]bool)
	}
	p.underWay[c] = true
}

func (p *progress) end(c *spool.Content) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.underWay, c)
}

// byPath is how much was read of each upload under way.
func (p *progress) byPath() map[string]int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := make(map[string]int64, len(p.underWay))
	for c := range p.underWay {
		sent[c.Path] = min(c.Sent.Load(), c.Length)
	}
	return sent
}
