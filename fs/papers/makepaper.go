package papers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/remote"
)

// makePaper returns the paper of a PDF beside it, and creates it if there is none. A new
// PDF must not go to a paper that others have created. mayHave is called before an
// attempt, and again after one that certainly created nothing, or met a paper of others.
// What an attempt may have created stays noted until the owner of the paper is known.
func (b beside) makePaper(ctx context.Context, isNew bool, mayHave func(bool) error) (int64, error) {
	c := b.category
	s, err := c.Catalogue.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	if paper := b.paperIn(s); paper != 0 {
		return paper, b.checkOwner(ctx, paper, isNew, c.pending.MayHaveCreated(b.entry()))
	}
	name, _ := names.PaperOf(b.name)
	kind, text, err := c.checkNew(ctx, s, name)
	if err != nil {
		return 0, err
	}
	before := c.pending.BeginCreate(b.entry())
	n, found, err := b.create(ctx, kind, text, mayHave)
	paper, may := n.ID, before || !errors.Is(err, catalogue.ErrByOthers)
	if errors.Is(err, catalogue.ErrTaken) { // created by another close, by an attempt without an answer, or by others
		paper = b.paper()
		found = paper != 0
	}
	if found {
		err = b.checkOwner(ctx, paper, isNew, may)
		if err != nil && !media.Is(err, media.Exists) {
			return paper, err // the next attempt checks the owner again
		}
	}
	switch known := b.noteOutcome(err); {
	case err == nil:
		c.pending.MarkCreated(paper)
	case known && mayHave != nil:
		err = errors.Join(err, mayHave(false))
	}
	return paper, err
}

// create creates the paper. found reports that it was found after an attempt without an
// answer: then others may have created it.
func (b beside) create(ctx context.Context, kind remote.NodeKind, text string, mayHave func(bool) error) (n remote.Node, found bool, err error) {
	if mayHave != nil {
		if err := mayHave(true); err != nil {
			return n, false, err
		}
	}
	n, err = b.category.create(remote.TellFound(ctx, &found), kind, text)
	return n, found && err == nil, err
}

// checkOwner rejects the paper for a new PDF unless this mount has created it or sent it a
// PDF. If an attempt without an answer may have created it, only a paper with pages, or
// with a PDF that is being processed, counts as created by others.
func (b beside) checkOwner(ctx context.Context, paper int64, isNew, mayHave bool) error {
	c := b.category
	if !isNew || c.pending.HasCreated(paper) {
		return nil
	}
	if _, sent, err := c.Documents.Source(paper); sent || err != nil {
		return err
	}
	if mayHave {
		filled, err := c.Documents.IsFilled(ctx, paper)
		if err != nil || !filled || c.pending.HasCreated(paper) { // another close may just have created it
			return err
		}
	}
	name, _ := names.PaperOf(b.name)
	return &media.Error{Kind: media.Exists, Detail: fmt.Sprintf("somebody else has created %s: copy the PDF again to put it into that paper", name)}
}

// noteOutcome records the outcome of create, and reports whether no attempt without an
// answer may have created the paper.
func (b beside) noteOutcome(err error) bool {
	is := err == nil || errors.Is(err, catalogue.ErrTaken) || media.Is(err, media.Exists)
	if e, refused := errors.AsType[*remote.Error](err); !is && (!refused || e.Ambiguous) {
		return false
	}
	return b.category.pending.EndCreate(b.entry(), is)
}

// sendPDF sends a PDF to the paper or, if paper is 0, to the one that b is beside, which
// it creates if there is none. With isNew, the paper must not be somebody else's.
func (b beside) sendPDF(ctx context.Context, paper int64, over document.Edition, isNew bool, pdf remote.Content, written time.Time, making pending.CreateHooks) (sha256 string, err error) {
	if err := pending.CheckPDF(pdf); err != nil {
		return "", err
	}
	if paper == 0 {
		paper, err = b.makePaper(ctx, isNew, making.MayHave)
		if errors.Is(err, catalogue.ErrNotFound) { // the tree that a mount begins with may be older than the category
			if _, err = b.category.Catalogue.FindID(ctx, b.category.nodeID()); err == nil {
				paper, err = b.makePaper(ctx, isNew, making.MayHave)
			}
		}
		if err != nil {
			return "", err
		}
	}
	if err := making.Created(paper); err != nil {
		return "", err
	}
	return b.category.process(ctx, paper, over, pdf, written)
}
