package papers

import (
	"context"
	"errors"
	"fmt"

	"paperfs/cache/catalogue"
	"paperfs/cache/media"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// make is the paper of a PDF beside it, made unless it is there. A new PDF goes to no paper
// that others have made. may is told before an attempt, and after one that surely made
// nothing.
func (b beside) make(ctx context.Context, isNew bool, may func(bool) error) (int64, error) {
	c := b.category
	if _, err := c.Catalogue.Snapshot(ctx); err != nil {
		return 0, err
	}
	if paper := b.paper(); paper != 0 {
		return paper, b.notOthers(ctx, paper, isNew, c.drafts.mayHave(b.entry()))
	}
	name, _ := names.PaperOf(b.name)
	kind, text, err := c.checkNew(ctx, name)
	if err != nil {
		return 0, err
	}
	before := c.drafts.makes(b.entry())
	n, found, err := b.create(ctx, kind, text, may)
	var others error
	if found {
		if others = b.notOthers(ctx, n.ID, isNew, true); others != nil && !media.Is(others, media.Exists) {
			return n.ID, others // whose it is is asked at the next attempt
		}
	}
	if c.drafts.made(b.entry(), err) && may != nil {
		err = errors.Join(err, may(false))
	}
	switch {
	case others != nil:
		return n.ID, errors.Join(others, err)
	case err == nil:
		c.drafts.own(n.ID)
	case errors.Is(err, catalogue.ErrTaken):
		if paper := b.paper(); paper != 0 { // another close has made it, an attempt without an answer, or others
			return paper, b.notOthers(ctx, paper, isNew, before || !errors.Is(err, catalogue.ErrByOthers))
		}
	}
	return n.ID, err
}

// create makes the paper. It reports whether that was found after an attempt without an answer:
// then others may have made it.
func (b beside) create(ctx context.Context, kind remote.NodeKind, text string, may func(bool) error) (n remote.Node, found bool, err error) {
	if may != nil {
		if err := may(true); err != nil {
			return n, false, err
		}
	}
	n, err = b.category.Catalogue.Create(remote.TellFound(ctx, &found), kind, b.category.nodeID(), text)
	return n, found && err == nil, err
}

// notOthers refuses the paper for a new PDF unless this mount has made it, or sent it a PDF.
// Where an attempt without an answer may have made it, only one with pages, or with a PDF that
// is being processed, is others'.
func (b beside) notOthers(ctx context.Context, paper int64, isNew, mayHave bool) error {
	c := b.category
	if !isNew || c.drafts.isOurs(paper) {
		return nil
	}
	if _, sent, err := c.Documents.Source(paper); sent || err != nil {
		return err
	}
	if mayHave {
		filled, err := c.Documents.IsFilled(ctx, paper)
		if err != nil || !filled || c.drafts.isOurs(paper) { // another close may have made it meanwhile
			return err
		}
	}
	name, _ := names.PaperOf(b.name)
	return &media.Error{Kind: media.Exists, Detail: fmt.Sprintf("somebody else has created %s: copy the PDF again to put it into that paper", name)}
}

// makes is called before the paper beside a place is made. It reports whether an attempt of
// this mount may have made it before.
func (d *drafts) makes(at names.Entry) (before bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.making == nil {
		d.making = map[names.Entry]int{}
	}
	d.making[at]++
	return d.making[at] > 1
}

// mayHave reports whether an attempt of this mount may have made the paper beside a place.
func (d *drafts) mayHave(at names.Entry) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.making[at] > 0
}

// made is called after makes, with the outcome; one that is not known is remembered. It
// reports whether no attempt may have made the paper without a word of it.
func (d *drafts) made(at names.Entry, err error) (known bool) {
	e, refused := errors.AsType[*remote.Error](err)
	if err != nil && !errors.Is(err, catalogue.ErrTaken) && (!refused || e.Ambiguous) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.making[at]--; d.making[at] <= 0 || err == nil || errors.Is(err, catalogue.ErrTaken) {
		delete(d.making, at) // what there is, is known
	}
	return d.making[at] == 0
}

// own notes that this mount has made a paper.
func (d *drafts) own(paper int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ours == nil {
		d.ours = map[int64]bool{}
	}
	d.ours[paper] = true
}

// madeHere is called when a program has made a paper of some name in a category: what is
// written beside it, and knows no paper yet, is for that.
func (d *drafts) madeHere(dir int64, name string, paper int64) {
	d.own(paper)
	var of []*pending
	d.mu.Lock()
	for _, p := range d.open {
		if beside, _ := names.PaperOf(p.to.at.Name); p.to.at.Dir == dir && beside == name && p.paper.CompareAndSwap(0, paper) {
			of = append(of, p)
		}
	}
	d.mu.Unlock()
	for _, p := range of {
		_ = p.draft.For(paper, p.place().path) // else after a kill it is asked whose paper this is
	}
}

// isOurs reports whether this mount has made a paper.
func (d *drafts) isOurs(paper int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ours[paper]
}
