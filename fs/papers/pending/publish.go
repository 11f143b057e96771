package pending

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// Publish implements media.Publisher. Nothing repeats what this side has refused.
func (p *PDF) Publish(ctx context.Context) error {
	err := p.sendQueued(ctx)
	p.reportLeftPaper(err)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.Refused && e.Code == remote.PaperDoesNotExist {
		return &media.Error{Kind: media.Invalid, Detail: p.place().deletedReason()}
	}
	if r, ok := errors.AsType[*errno.Refusal](err); ok {
		return &media.Error{Kind: media.Invalid, Detail: r.Error()}
	}
	return err
}

// Delayed implements media.Publisher. A failure is told once, and a brief one of the service not at all.
func (p *PDF) Delayed(why error) {
	if told := p.delayReason.Load(); told != nil && *told == why.Error() || isServerError(why) && p.queuedFor() <= briefOutage {
		return
	}
	p.delayReason.Store(new(why.Error()))
	p.set.Tell.Failed("process", p.place().Name, p.paper.Load(), why)
}

// ofService reports whether the service could not answer for a moment, as while it is started again.
func isServerError(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Status && e.Status >= 500
}

// Published implements media.Publisher. What was removed is nobody's concern any more, unless the refusal came first
// and has it moved to failed/.
func (p *PDF) Published(refused error) {
	if refused == nil || !p.removed.Load() || p.draft.Failure() != nil {
		p.set.Tell.Tell("process", p.place().Name, p.paper.Load(), refused)
	}
	if p.set.endIfIdle(p) {
		p.end(context.Background())
	}
}

// errReplaced is why a queued PDF is not sent. A user who has read it may copy the PDF once more.
var errReplaced = &media.Error{Kind: media.Exists, Detail: "the pages of the paper have changed since this PDF was queued: somebody else has put a PDF there. Copy the PDF again to replace that one"}

// waitsMost is how long a queued PDF may wait for its first attempt, with nothing asked before it;
// briefly, for one after the service could not answer, which nobody is told.
const (
	uncheckedWait = 30 * time.Second
	briefOutage   = 3 * time.Second
)

// waits is for how long p has been queued. That is not known of what an earlier run has queued, or what was queued
// before the clock was set back: both count as long.
func (p *PDF) queuedFor() time.Duration { return time.Since(time.Unix(0, p.queuedAt.Load())).Abs() }

// sendQueued sends what is queued, unless it has waited, and others have put a PDF into the paper
// since: that would be lost, since the service does not give it back. An attempt right after the
// close asks nothing. What is known of the paper's pages means nothing any more once an attempt may
// have had its effect: they may be those of this PDF.
func (p *PDF) sendQueued(ctx context.Context) error {
	if seen := p.draft.Seen(); seen != "" {
		most := time.Duration(p.checkAfter.Load())
		ctx = document.IfUnchanged(ctx, seen, func() bool { return p.queuedFor() > most })
	}
	err := p.sendBy(ctx, p.draft.SendQueued)
	if most := int64(briefOutage); isServerError(err) {
		p.checkAfter.Store(min(p.checkAfter.Load(), most))
	} else {
		p.checkAfter.Store(0)
	}
	if errors.Is(err, document.ErrPagesChanged) {
		return errReplaced
	}
	return err
}

// tellsOfPaper tells of the paper that a PDF leaves at the service without one, since its name was
// removed while the paper was being made: the mount deletes no paper unless somebody asks for that.
// Nothing is told where another PDF goes to it, as after install and tar.
func (p *PDF) reportLeftPaper(err error) {
	to := p.place()
	if err == nil || !p.removed.Load() || !to.New || p.set.Has(to.At) {
		return
	}
	if !p.set.MayHaveCreated(to.At) && !p.set.HasCreated(p.paper.Load()) { // the answer may have come just before the removal
		return
	}
	name := to.besideName()
	p.set.Tell.Failed("remove", name, 0, errno.Refuse(syscall.EBUSY, fmt.Sprintf(
		"this PDF was removed while its paper was being made: %s%s may be at the service, without pages. To delete it, run rmdir in a mount with --allow-delete, or put a PDF there",
		strings.TrimSuffix(name, names.PDFEndings[0]), names.Suffix)))
}
