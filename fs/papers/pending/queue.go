package pending

import (
	"strconv"
	"time"

	"paperfs/cache/media"
)

// queue queues the content to be sent in the background. It returns once the queue is
// durable on this machine.
func (p *PDF) queue() error {
	to := p.place()
	err := p.draft.Queue(p.queuing(to, p.Paper()))
	if err != nil || !p.draft.Queued() {
		return err
	}
	p.set.Replaced(p.Paper(), to.At, p)
	p.publish()
	return nil
}

// publish lets the media store send the queued content.
func (p *PDF) publish() {
	if paper := p.Paper(); p.set.isUnsure(paper) {
		_ = p.draft.Change(func(pdf *media.PDF) { pdf.Seen = "" }) // otherwise our own earlier PDF may look like one of a colleague
	}
	p.queuedAt.Store(time.Now().UnixNano())
	p.checkAfter.Store(int64(uncheckedWait))
	p.delayReason.Store(nil)
	p.draft.PublishBy(p)
}

// queuing returns what the media store records with the queued content: p is for the place
// to of a paper.
func (p *PDF) queuing(to *Place, paper int64) media.Queuing {
	q := media.Queuing{Dir: to.At.Dir, New: to.New, Seen: p.set.Documents.PagesToken(paper), Check: to.check}
	q.Making = paper == 0 && (p.set.MayHaveCreated(to.At) || p.set.HasCreated(p.set.Tree.PaperBeside(to.At)))
	if e := to.Edition; e.Number != 0 && p.set.Documents.SameEdition(paper, e.Since) {
		q.Seen = media.SeenEdition + strconv.FormatInt(int64(e.Number), 10)
	}
	if q.Seen != "" && (p.set.isUnsure(paper) || p.set.mayHaveSent(paper, to.At, p)) {
		q.Seen = ""
	}
	return q
}

// Requeue resumes sending the PDFs that an earlier run has queued, each to its place.
func (s *Set) Requeue(place func(media.PDF) *Place) {
	for _, q := range s.Media.QueuedPDFs() {
		p := &PDF{set: s, draft: q, dest: place(q.About())}
		if q.About().Making {
			s.BeginCreate(p.dest.At)
		}
		s.add(p)
		q.PublishBy(p)
	}
}
