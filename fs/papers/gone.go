package papers

import (
	"context"
	"paperfs/fs/papers/names"
)

// drop has nothing come of what is queued and lost its name.
func (d *drafts) drop(gone []*pending) {
	for _, p := range gone {
		if !p.draft.Queued() {
			continue
		}
		p.draft.Forsake()
		d.setUnsure(p)
		if d.settled(p) {
			p.end(context.Background())
		}
	}
}

// setUnsure notes, of p that was removed here, that its paper may yet get it, if the service has not
// answered: what is known of the pages does not tell whether others have changed them.
func (d *drafts) setUnsure(p *pending) {
	paper := p.paper.Load()
	if paper == 0 || !p.draft.MayBeThere() {
		return
	}
	p.Documents.Drop(paper)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unsure == nil {
		d.unsure = map[int64]bool{}
	}
	d.unsure[paper] = true
}

// sure is called when the service has answered that it has a newer PDF of a paper.
func (d *drafts) sure(paper int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.unsure, paper)
}

func (d *drafts) isUnsure(paper int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.unsure[paper]
}

// unlink has what is being written at a name sent nowhere, as that of any file that is
// removed. What is written by the paper's other name keeps that.
func (d *drafts) unlink(paper int64, at names.Entry) {
	var gone []*pending
	d.mu.Lock()
	if paper == 0 && d.making[at] > 0 {
		if d.unlinked == nil {
			d.unlinked = map[names.Entry]bool{}
		}
		d.unlinked[at] = true
	}
	for _, p := range d.open {
		if p.to.at == at && p.is(paper, at) && p.to.other == "" {
			p.gone.Store(true)
			gone = append(gone, p)
		}
	}
	d.mu.Unlock()
	d.drop(gone)
}

// unlinkedBefore reports whether a place's PDF was removed before its paper was known, once.
func (d *drafts) unlinkedBefore(at names.Entry) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	is := d.unlinked[at]
	delete(d.unlinked, at)
	return is
}

// takeBack has nothing sent of what is queued for a paper, or for the one beside a place, by
// whatever name: another one of its PDF was removed. Who is writing goes on.
func (d *drafts) takeBack(paper int64, at names.Entry) {
	var gone, written []*pending
	d.mu.Lock()
	for _, p := range d.open {
		switch {
		case p.gone.Load() || !p.is(paper, at) || !p.draft.Queued():
		case p.writers() > 0:
			written = append(written, p)
		default:
			p.gone.Store(true)
			gone = append(gone, p)
		}
	}
	d.mu.Unlock()
	d.drop(gone)
	for _, p := range written {
		p.draft.Unqueue()
		d.setUnsure(p)
	}
}

// deleted has nothing sent any more of what is queued for a paper that was deleted here.
func (d *drafts) deleted(paper int64) {
	var gone []*pending
	d.mu.Lock()
	for _, p := range d.open {
		if p.paper.Load() == paper && p.draft.Queued() {
			p.gone.Store(true)
			gone = append(gone, p)
		}
	}
	d.mu.Unlock()
	d.drop(gone)
}
