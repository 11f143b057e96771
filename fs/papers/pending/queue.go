package pending

import (
	"time"

	"paperfs/cache/media"
)

// queue has what was written sent in the background. It returns once the queue is durable here.
func (p *PDF) queue() error {
	to := p.place()
	err := p.draft.Queue(p.queuing(to, p.paper.Load()))
	if err != nil || !p.draft.Queued() {
		return err
	}
	p.set.Replaced(p.paper.Load(), to.At, p)
	p.publish()
	return nil
}

// publish lets the media store send what was queued.
func (p *PDF) publish() {
	if paper := p.paper.Load(); p.set.isUnsure(paper) {
		_ = p.draft.ClearSeen() // else it may be taken for one over a colleague's
	}
	p.queuedAt.Store(time.Now().UnixNano())
	p.checkAfter.Store(int64(uncheckedWait))
	p.delayReason.Store(nil)
	p.draft.PublishBy(p)
}

// queuing is what the media store keeps of p with the queue: p is for a place of a paper.
func (p *PDF) queuing(to *Place, paper int64) media.Queuing {
	q := media.Queuing{Dir: to.At.Dir, New: to.New, Written: p.WrittenAt(), Seen: p.set.Documents.PagesToken(paper), Check: to.check}
	if q.Seen != "" && (p.set.isUnsure(paper) || p.set.mayHaveSent(paper, to.At, p)) {
		q.Seen = ""
	}
	return q
}

// Requeue has what an earlier run has queued sent, each to its place.
func (s *Set) Requeue(place func(media.QueuedPDF) *Place) {
	for _, q := range s.Media.QueuedPDFs() {
		p := &PDF{set: s, draft: q.Draft}
		p.paper.Store(q.Paper)
		p.written.Store(true)
		if !q.Written.IsZero() {
			p.mtime.Store(q.Written.UnixNano())
		}
		p.dest = place(q)
		if q.Making {
			s.BeginCreate(p.dest.At)
		}
		s.add(p)
		q.PublishBy(p)
	}
}
