package papers

import (
	"paperfs/fs/papers/names"
	"slices"
	"sync"
	"time"
)

// drafts are the PDFs that are being written, and what truncations have left of
// PDFs. Truncation alone sends nothing and shows nothing; the
// next program that writes begins with what it left.
type drafts struct {
	mu   sync.Mutex
	open []*pending     // guarded by mu; those that have the name of a PDF, in the order in which they got it
	cuts map[int64]*cut // guarded by mu; by paper
	// making are the places whose paper is being made, or may have been made by an attempt
	// without an answer, with how many attempts. Guarded by mu.
	making map[names.Entry]int
	ours   map[int64]bool // guarded by mu; papers that this mount has made
	unsure map[int64]bool // guarded by mu; papers that may get a PDF that was queued and then removed here: their pages tell nothing of others
	// unlinked are the places whose PDF was removed while its paper may have been made: the name
	// is gone though there is the paper after all. Guarded by mu.
	unlinked map[names.Entry]bool
}

// is reports whether p is of a paper, or of the name of one to be made, where there is no
// paper yet; d.mu is held.
func (p *pending) is(paper int64, at names.Entry) bool {
	mine := p.paper.Load()
	if paper == 0 && at != (names.Entry{}) {
		paper = p.paperBeside(at) // it may have been made since its name was looked at
	}
	if mine == 0 && p.to.at != (names.Entry{}) {
		mine = p.paperBeside(p.to.at)
	}
	switch {
	case mine == paper && paper != 0:
		return true
	case at == (names.Entry{}) || p.to.at != at:
		return false
	}
	return mine == 0 || paper == 0 && !p.knows(mine)
}

// knows reports whether the tree has a paper: what is at its name then is that paper's,
// and else it may be too old to have it.
func (t *Tree) knows(paper int64) bool {
	s := t.Catalogue.Peek()
	if s == nil {
		return false
	}
	_, ok := s.WithoutAddress(paper)
	return ok
}

// writers is how many can write to p; d.mu is held.
func (p *pending) writers() (n int) {
	for _, o := range p.openings {
		if o.uses != nil {
			n++
		}
	}
	return n
}

// at is the newest of a place for which ok holds, nil for none; d.mu is held.
func (d *drafts) at(paper int64, at names.Entry, ok func(*pending) bool) *pending {
	for _, p := range slices.Backward(d.open) {
		if p.is(paper, at) && ok(p) {
			return p
		}
	}
	return nil
}

// find is at for what is not removed.
func (d *drafts) find(paper int64, at names.Entry, ok func(*pending) bool) *pending {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.at(paper, at, func(p *pending) bool { return !p.gone.Load() && ok(p) })
}

// of is that of a PDF beside a paper that is not made yet, nil for none.
func (d *drafts) of(at names.Entry) *pending {
	return d.find(0, at, func(*pending) bool { return true })
}

// all are those of a paper.
func (d *drafts) all(paper int64) (all []*pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.open {
		if p.paper.Load() == paper {
			all = append(all, p)
		}
	}
	return all
}

// mayHaveSent reports whether something else than but is queued at a place that the service may have:
// the pages that are known may not be those that are there, though nobody else has put others.
func (d *drafts) mayHaveSent(paper int64, at names.Entry, but *pending) bool {
	var others []*pending
	d.mu.Lock()
	for _, p := range d.open {
		if p != but && p.is(paper, at) && p.draft.Queued() {
			others = append(others, p)
		}
	}
	d.mu.Unlock()
	return slices.ContainsFunc(others, func(p *pending) bool { return p.draft.MayBeThere() })
}

// join has an opening share what somebody writes at a place, if it can be shared
// still, and reports whether.
func (d *drafts) join(paper int64, at names.Entry, o *opening) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	o.pending = d.at(paper, at, func(p *pending) bool {
		return !p.ended && !p.gone.Load() && p.draft.Failure() == nil
	})
	if o.pending == nil {
		return false
	}
	o.openings = append(o.openings, o)
	return true
}

// begin is called with what is new at a place, and with who has it open. It begins with
// what a truncation left.
func (d *drafts) begin(p *pending, o *opening) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p.cut = d.cuts[p.paper.Load()]
	p.openings = append(p.openings, o)
	d.open = append(d.open, p)
}

// add adds what an earlier run has queued.
func (d *drafts) add(p *pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = append(d.open, p)
}

// settled is called when nothing of p is queued any more. It reports whether that ends it.
func (d *drafts) settled(p *pending) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return p.endsLocked()
}

// enters adds an opening to what it is of. It reports false where nobody can write to that any
// more.
func (d *drafts) enters(o *opening) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o.ended && o.uses != nil {
		return false
	}
	o.openings = append(o.openings, o)
	return true
}

// leave takes an opening away. It reports whether that was the last: who calls it ends
// the content.
func (d *drafts) leave(o *opening) (last bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(o.openings, o); i >= 0 {
		o.openings = slices.Delete(o.openings, i, i+1)
	}
	return o.endsLocked()
}

// endsLocked ends p where nobody can write to it any more; who has it open for reading
// goes on with what was sent. What is queued, or has a temporary name, stays, and what
// has no name until nobody can read it. d.mu is held.
func (p *pending) endsLocked() bool {
	uses := p.writers()
	if p.to == nil {
		uses = len(p.openings)
	}
	if p.ended || p.named || uses > 0 || p.draft.Queued() {
		return false
	}
	p.ended = true
	if !p.gone.Load() {
		p.drafts.cutLocked(p.paper.Load(), p.trims.lengths()...)
	}
	p.trims = nil
	return true
}

// cutLocked has the next who writes to a paper's PDF begin with what is left of it after it was
// given these lengths; d.mu is held.
func (d *drafts) cutLocked(paper int64, sizes ...int64) {
	if paper == 0 {
		return
	}
	if d.cuts == nil {
		d.cuts = map[int64]*cut{}
	}
	for _, size := range sizes {
		d.cuts[paper] = d.cuts[paper].to(size)
	}
}

func (d *drafts) remove(p *pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = slices.DeleteFunc(d.open, func(q *pending) bool { return q == p })
}

// unname takes the temporary name from p. It reports whether that ends it.
func (d *drafts) unname(p *pending) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	p.named = false
	return p.endsLocked()
}

// becomes gives p, which had a temporary name, that of a PDF: the close of who can write to
// it sends what is written from now on, and with all also what was before: then is is false
// where no close is to come. It reports whether nobody can write to it.
func (d *drafts) becomes(p *pending, to *pdfPlace, paper int64, all bool) (is, ends bool) {
	d.mu.Lock()
	if p.ended || all && !p.heldLocked() {
		d.mu.Unlock()
		return false, false // ended: it was removed, and nobody has it open
	}
	older := d.replaceLocked(paper, to.at, p)
	p.to, p.named = to, false
	p.paper.Store(paper)
	p.written.Store(true)
	d.open = append(d.open, p)
	if gen := p.draft.Generation(); all {
		p.other = to.other
		for _, o := range p.openings {
			o.gen.Store(gen)
		}
	}
	ends = p.endsLocked()
	d.mu.Unlock()
	d.drop(older)
	return true, ends
}

// replaced is called when something else than what is written at a place was moved there:
// that goes nowhere, as after any rename.
func (d *drafts) replaced(paper int64, at names.Entry, by *pending) {
	d.mu.Lock()
	older := d.replaceLocked(paper, at, by)
	d.mu.Unlock()
	d.drop(older)
}

// replaceLocked finds what is replaced by p, for drop. The length that a truncation has left was
// that of the content before. d.mu is held.
func (d *drafts) replaceLocked(paper int64, at names.Entry, by *pending) (older []*pending) {
	delete(d.cuts, paper)
	for _, p := range d.open {
		if p != by && p.is(paper, at) {
			p.gone.Store(true)
			older = append(older, p)
		}
	}
	return older
}

// held reports whether somebody can still write to p.
func (d *drafts) held(p *pending) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return p.heldLocked()
}

func (p *pending) heldLocked() bool {
	return slices.ContainsFunc(p.openings, func(o *opening) bool { return o.uses != nil && o.uses.Held() })
}

// closesLocal notes a close of what has a temporary name, and reports whether it has. A rename
// comes before it, and has it send, or after it, and sends.
func (d *drafts) closesLocal(o *opening, thread uint32) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o.to == nil {
		o.uses.FlushedClean(thread)
	}
	return o.to == nil
}

// again reports whether o's file is open for writing once more, also what it was before its
// name was removed: a descriptor of that, which a program may have inherited, looks the same.
func (d *drafts) again(o *opening) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.open, func(p *pending) bool {
		return slices.ContainsFunc(p.openings, func(another *opening) bool {
			return another != o && another.uses != nil && another.by.StableAttr().Ino == o.by.StableAttr().Ino
		})
	})
}

// leaves reports whether another opening has written what o's close would send, and is
// to send it.
func (d *drafts) leaves(o *opening) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(o.openings, func(another *opening) bool { return another != o && another.unsent() })
}

// overwrites is called when o has cut the content to nothing: what others have
// written until now is no more, and no close of theirs has to send it.
func (d *drafts) overwrites(o *opening) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, another := range o.openings {
		if another != o {
			another.seen.Store(another.gen.Load())
		}
	}
}

// setTime sets when the content was written that is not sent yet. It reports
// whether there is any.
func (d *drafts) setTime(paper int64, at names.Entry, mtime time.Time) (unsent bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.open {
		if p.is(paper, at) && p.written.Load() && !p.draft.Clean() {
			p.mtime.Store(mtime.UnixNano())
			_ = p.draft.SetWritten(mtime) // else the next mount has the time before
			unsent = true
		}
	}
	return unsent
}

// opened is what thread has opened last for writing at a place, nil for nothing.
func (d *drafts) opened(paper int64, at names.Entry, thread uint32) (last *opening) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at(paper, at, func(p *pending) bool {
		for _, o := range slices.Backward(p.openings) {
			if o.uses != nil && o.opener == thread {
				last = o
				return true
			}
		}
		return false
	})
	return last
}

// truncated notes a paper's new length. What is being written keeps its own.
func (d *drafts) truncated(paper int64, size int64, p *pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p == nil || !p.written.Load() {
		d.cutLocked(paper, size)
	}
}

// restore undoes what a program that was killed has truncated p to before it wrote
// anything: the next one begins with all of the PDF.
func (d *drafts) restore(p *pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	paper := p.paper.Load()
	switch {
	case p.written.Load():
	case p.cut != nil:
		d.cuts[paper] = p.cut
	default:
		delete(d.cuts, paper)
	}
}

// wrote is called before p is written to: a truncation until the first time is its own.
func (d *drafts) wrote(p *pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !p.written.Swap(true) {
		delete(d.cuts, p.paper.Load())
	}
}
