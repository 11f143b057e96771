package papers

import (
	"context"
	"errors"
	"fmt"
	"path"

	"paperfs/cache/catalogue"
	"paperfs/cache/media"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// makePaper returns the paper of a PDF beside it, and creates it if there is none. A new
// PDF must not go to a paper that others have created. What an attempt may have created stays noted until the owner of the paper is
// known.
func (t *Tree) makePaper(ctx context.Context, p *media.Sending) (int64, error) {
	c, at := &category{place{Tree: t, node: p.Dir}}, names.Beside(p.Dir, path.Base(p.Path))
	s, err := t.Catalogue.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	_, before := t.making.Load(at)
	before = before || p.PDF.Making
	if paper := names.PaperBeside(s, at); paper != 0 {
		if err = t.checkOwner(ctx, p, paper, before); media.Is(err, media.Exists) {
			t.making.Delete(at)
		}
		return paper, err
	}
	name, _ := names.PaperOf(at.Name)
	kind, text, err := c.checkNew(ctx, s, name)
	if err != nil {
		return 0, err
	}
	found := false
	t.making.Store(at, true)
	if err := p.Making(true); err != nil {
		return 0, err
	}
	n, err := c.create(remote.TellFound(ctx, &found), kind, text)
	paper, may := n.ID, before || !errors.Is(err, catalogue.ErrByOthers)
	found = found && err == nil
	if errors.Is(err, catalogue.ErrTaken) { // created by an attempt without an answer, or by others
		paper = names.PaperBeside(t.Catalogue.Peek(), at)
		found = paper != 0
	}
	if found {
		err = t.checkOwner(ctx, p, paper, may)
		if err != nil && !media.Is(err, media.Exists) {
			return paper, err // the next attempt checks the owner again
		}
	}
	switch e, refused := errors.AsType[*remote.Error](err); {
	case err == nil:
		t.created.Store(paper, true)
	case errors.Is(err, catalogue.ErrTaken), media.Is(err, media.Exists), refused && !e.Ambiguous:
		t.making.Delete(at)
		err = errors.Join(err, p.Making(false))
	}
	return paper, err
}

// checkOwner rejects the paper for a new PDF unless this mount has created it or sent it a
// PDF. If an attempt without an answer may have created it, only a paper with pages, or
// with a PDF that is being processed, counts as created by others.
func (t *Tree) checkOwner(ctx context.Context, p *media.Sending, paper int64, may bool) error {
	if _, created := t.created.Load(paper); created || !p.New {
		return nil
	}
	if _, sent, err := t.Documents.Source(paper); sent || err != nil {
		return err
	}
	if may {
		filled, err := t.Documents.IsFilled(ctx, paper)
		if err != nil || !filled {
			return err
		}
	}
	name, _ := names.PaperOf(path.Base(p.Path))
	return &media.Error{Kind: media.Exists, Detail: fmt.Sprintf("somebody else has created %s: copy the PDF again to put it into that paper", name)}
}
