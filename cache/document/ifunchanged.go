package document

import (
	"context"
	"errors"

	"paperfs/remote"
)

// ErrPagesChanged means that another client has put a PDF into the paper since its pages
// were read.
var ErrPagesChanged = errors.New("the pages of the paper have changed")

// conditionKey is the context key of a condition.
type conditionKey struct{}

type condition struct {
	pages string
	stale func() bool
}

// IfUnchanged returns a context for Process of a PDF that must only replace the pages
// identified by the given PagesToken. If stale returns true when the PDF is about to be
// sent, Process first checks the pages, with 1 more request, and fails with
// ErrPagesChanged if they differ. A retry would need another check, so a request with this
// context is not retried.
func IfUnchanged(ctx context.Context, pages string, stale func() bool) context.Context {
	return context.WithValue(ctx, conditionKey{}, condition{pages, stale})
}

// reserveSend waits until the rate limit allows sending a PDF for a paper, then checks the
// condition of IfUnchanged. The caller sends the PDF at once with the returned context,
// then calls end, also after an error.
func (c *Cache) reserveSend(ctx context.Context, paper int64) (turn context.Context, end func(), err error) {
	cond, conditional := ctx.Value(conditionKey{}).(condition)
	if !conditional {
		return ctx, func() {}, nil
	}
	ctx = remote.Once(ctx)
	turn, end, err = c.service.Turn(ctx, remote.GetPaperStructure, remote.ProcessPDF)
	same := true
	if err == nil && cond.stale() {
		same, err = c.PagesUnchanged(turn, paper, cond.pages)
	}
	if !same && err == nil {
		err = ErrPagesChanged
	}
	return turn, end, err
}
