package papers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/media"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/remote"
)

// makePaper is the paper of a PDF beside it, made unless it is there. A new PDF goes to no paper
// that others have made. may is told before an attempt, and after one that surely made
// nothing.
func (b beside) makePaper(ctx context.Context, isNew bool, may func(bool) error) (int64, error) {
	c := b.category
	if _, err := c.Catalogue.Snapshot(ctx); err != nil {
		return 0, err
	}
	if paper := b.paper(); paper != 0 {
		return paper, b.checkOwner(ctx, paper, isNew, c.pending.MayHaveCreated(b.entry()))
	}
	name, _ := names.PaperOf(b.name)
	kind, text, err := c.checkNew(ctx, name)
	if err != nil {
		return 0, err
	}
	before := c.pending.BeginCreate(b.entry())
	n, found, err := b.create(ctx, kind, text, may)
	var others error
	if found {
		if others = b.checkOwner(ctx, n.ID, isNew, true); others != nil && !media.Is(others, media.Exists) {
			return n.ID, others // whose it is is asked at the next attempt
		}
	}
	if b.noteOutcome(err) && may != nil {
		err = errors.Join(err, may(false))
	}
	switch {
	case others != nil:
		return n.ID, errors.Join(others, err)
	case err == nil:
		c.pending.MarkCreated(n.ID)
	case errors.Is(err, catalogue.ErrTaken):
		if paper := b.paper(); paper != 0 { // another close has made it, an attempt without an answer, or others
			return paper, b.checkOwner(ctx, paper, isNew, before || !errors.Is(err, catalogue.ErrByOthers))
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
		if err != nil || !filled || c.pending.HasCreated(paper) { // another close may have made it meanwhile
			return err
		}
	}
	name, _ := names.PaperOf(b.name)
	return &media.Error{Kind: media.Exists, Detail: fmt.Sprintf("somebody else has created %s: copy the PDF again to put it into that paper", name)}
}

// outcome notes the outcome of create, and reports whether no attempt may have made the paper without an answer.
func (b beside) noteOutcome(err error) bool {
	is := err == nil || errors.Is(err, catalogue.ErrTaken)
	if e, refused := errors.AsType[*remote.Error](err); !is && (!refused || e.Ambiguous) {
		return false
	}
	return b.category.pending.EndCreate(b.entry(), is)
}

// sendPDF sends a PDF to the paper of a known id, or to the one that b is beside,
// which is made if there is none. A new one must not be somebody else's.
func (b beside) sendPDF(ctx context.Context, paper int64, isNew bool, pdf remote.Content, written time.Time, making pending.CreateHooks) (sha256 string, err error) {
	if err := pending.CheckPDF(pdf); err != nil {
		return "", err
	}
	if paper == 0 {
		if paper, err = b.makePaper(ctx, isNew, making.MayHave); err != nil {
			return "", err
		}
	}
	if err := making.Created(paper); err != nil {
		return "", err
	}
	sent, err := b.category.Documents.Process(ctx, paper, pdf, written)
	return sent.SHA256, err
}
