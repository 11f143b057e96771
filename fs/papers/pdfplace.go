package papers

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// PaperBeside implements pending.Tree.
func (t *Tree) PaperBeside(at names.Entry) int64 {
	s := t.Catalogue.Peek()
	if s == nil {
		return 0
	}
	return names.PaperBeside(s, at)
}

// Knows implements pending.Tree.
func (t *Tree) Knows(paper int64) bool {
	s := t.Catalogue.Peek()
	if s == nil {
		return false
	}
	_, ok := s.WithoutAddress(paper)
	return ok
}

// sourcePlace returns the place of a paper's source.pdf, written under the given name.
func (t *Tree) sourcePlace(paper int64, name, path string) *pending.Place {
	to := &pending.Place{Name: name, Path: "/" + path, Paper: paper, Exists: !t.hiddenSource.has(paper), Edition: t.edition(paper)}
	to.Send = func(ctx context.Context, _ int64, over document.Edition, pdf remote.Content, written time.Time, _ pending.CreateHooks) (string, error) {
		return t.process(ctx, paper, over, pdf, written)
	}
	return to
}

// edition returns the edition of a paper that this mount shows, if it is known.
func (t *Tree) edition(paper int64) (e document.Edition) {
	if e.Number, e.Since = t.Catalogue.Edition(paper); e.Number == 0 || !t.Documents.SameEdition(paper, e.Since) {
		return document.Edition{}
	}
	return e
}

// process sends a PDF that may replace only an edition of the paper.
func (t *Tree) process(ctx context.Context, paper int64, over document.Edition, pdf remote.Content, written time.Time) (string, error) {
	sent, err := t.Documents.Process(document.Over(ctx, over), paper, pdf, written)
	if err = t.Catalogue.Judge(ctx, names.Source, err); errors.Is(err, catalogue.ErrChanged) {
		err = &media.Error{Kind: media.Superseded, Detail: "somebody else has changed the paper on the service since this PDF was begun, so it was not replaced: copy the PDF again to replace the other"}
	}
	return sent.SHA256, err
}

// queuedPlace returns the place of a PDF that an earlier run has queued.
func (t *Tree) queuedPlace(q media.PDF) *pending.Place {
	name := strings.TrimPrefix(q.Path, "/")
	if q.Dir == 0 {
		return t.sourcePlace(q.Paper, name, name)
	}
	return beside{&category{place{Tree: t, node: q.Dir}}, filepath.Base(name)}.placeAt(name, q.New)
}

// place returns the place of a PDF beside a paper. A new PDF must not go to somebody
// else's paper.
func (b beside) place(*gofs.Inode) *pending.Place {
	return b.placeAt(virtual.Path(&b.category.Inode, b.name), b.paper() == 0)
}

// placeAt is place for a known path.
func (b beside) placeAt(name string, isNew bool) *pending.Place {
	c := b.category
	return &pending.Place{Name: name, Path: "/" + name, Paper: b.paper(), At: b.entry(), New: isNew, Edition: c.edition(b.paper()),
		Send: func(ctx context.Context, paper int64, over document.Edition, pdf remote.Content, written time.Time, making pending.CreateHooks) (string, error) {
			return b.sendPDF(ctx, paper, over, isNew, pdf, written, making)
		},
		Notify: func() func(context.Context) {
			made, _ := names.PaperOf(b.name)
			if shown := c.category(c.nodeID()); shown != nil { // otherwise the kernel never looked it up
				return shown.notifyChange(made)
			}
			return func(context.Context) {}
		}}
}

// Unhide implements pending.Tree.
func (t *Tree) Unhide(paper int64) {
	t.hiddenSource.set(paper, false)
	t.hiddenBeside.set(paper, false)
}
