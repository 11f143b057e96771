package document

import (
	"context"
	"sync"
	"time"

	"paperfs/remote"
)

// Edition is an edition of a paper; Number is 0 if none is known.
type Edition struct {
	Number remote.Version
	Since  time.Time // when the paper is known to have had it
}

// overKey is the context key of Over.
type overKey struct{}

// Over returns a context for Process of a PDF that may replace only an edition, unless something of this mount has
// replaced that since.
func Over(ctx context.Context, e Edition) context.Context {
	return context.WithValue(ctx, overKey{}, e)
}

// underEdition applies Over, at the paper's turn.
func (c *Cache) underEdition(ctx context.Context, paper int64) context.Context {
	e, is := ctx.Value(overKey{}).(Edition)
	if !is || e.Number == 0 || !c.SameEdition(paper, e.Since) {
		return ctx
	}
	return remote.Under(ctx, &remote.Condition{If: e.Number})
}

// editions has the time at which this mount last may have replaced the edition of a paper, or seen that a job of its
// own had: the service does not tell the edition that the end of a job makes.
type editions struct{ byPaper sync.Map }

func (e *editions) replaced(paper int64, at time.Time) { e.byPaper.Store(paper, at) }

func (e *editions) last(paper int64) (at time.Time) {
	found, _ := e.byPaper.Load(paper)
	at, _ = found.(time.Time)
	return at
}

// SameEdition reports whether nothing of this mount can have replaced the edition that a paper had at that time: no PDF, no job that ended, and no change of a media file, to which the paper may link.
func (c *Cache) SameEdition(paper int64, since time.Time) bool {
	pending, err := c.pending(paper)
	return err == nil && len(pending) == 0 && since.After(c.sent.last(paper)) && since.After(c.service.MediaChanged())
}
