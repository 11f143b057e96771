package document

import (
	"context"
	"errors"

	"paperfs/remote"
)

// ErrOthers: others have put a PDF into the paper since it was seen.
var ErrPagesChanged = errors.New("the pages of the paper are not those that were seen")

// seenKey marks a context with what OnlyOver was told.
type conditionKey struct{}

type condition struct {
	pages string
	stale func() bool
}

// OnlyOver is for Process of a PDF that is to replace what Seen has told of. Where that is old in the moment
// in which the PDF may go out, the service is asked first: 1 request more. Then it fails with ErrOthers if the
// paper has other pages. What Seen has told is old at a repeat, too: so there is none.
func IfUnchanged(ctx context.Context, pages string, stale func() bool) context.Context {
	return context.WithValue(ctx, conditionKey{}, condition{pages, stale})
}

// look waits for the turn of a PDF of a paper, and looks whether it may go out: right after that it
// does, with the context that it returns. end is called after it.
func (l *Cache) reserveSend(ctx context.Context, paper int64) (turn context.Context, end func(), err error) {
	cond, conditional := ctx.Value(conditionKey{}).(condition)
	if !conditional {
		return ctx, func() {}, nil
	}
	ctx = remote.Once(ctx)
	if !cond.stale() {
		turn, end, err := l.service.Turn(ctx, remote.ProcessPDF)
		if err != nil || !cond.stale() {
			return turn, end, err
		}
		end() // the wait was long
	}
	turn, end, err = l.service.Turn(ctx, remote.GetPaperStructure, remote.ProcessPDF)
	if err != nil {
		return turn, end, err
	}
	same, err := l.PagesUnchanged(turn, paper, cond.pages)
	if err == nil && !same {
		err = ErrPagesChanged
	}
	if err != nil {
		end()
	}
	return turn, end, err
}
