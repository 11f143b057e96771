package pending

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// Publish implements media.Publisher. A PDF that this side rejects is not retried.
func (p *PDF) Publish(ctx context.Context) error {
	err := p.sendQueued(ctx)
	p.reportLeftPaper(err)
	e, refused := errors.AsType[*remote.Error](err)
	if refused && e.Kind == remote.Refused && e.Code == remote.PaperDoesNotExist || errors.Is(err, catalogue.ErrNotFound) {
		return &media.Error{Kind: media.Invalid, Detail: p.place().deletedReason(p.Paper() != 0)}
	}
	if r, ok := errors.AsType[*errno.Refusal](err); ok {
		return &media.Error{Kind: media.Invalid, Detail: r.Error()}
	}
	return err
}

// Delayed implements media.Publisher. It reports each reason once, and a short outage of
// the service not at all.
func (p *PDF) Delayed(why error) {
	if told := p.delayReason.Load(); told != nil && *told == why.Error() || isServerError(why) && p.queuedFor() <= briefOutage {
		return
	}
	p.delayReason.Store(new(why.Error()))
	p.set.Tell.Failed("process", p.place().Name, p.Paper(), why)
}

// isServerError reports whether the service failed to answer, as it does for a moment
// while it restarts.
func isServerError(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Status && e.Status >= 500
}

// Published implements media.Publisher. It does not report the outcome of a removed PDF,
// unless the PDF was refused before the removal and moved to failed/.
func (p *PDF) Published(refused error) {
	if refused == nil || !p.removed.Load() || p.draft.Failure() != nil {
		p.set.Tell.Tell("process", p.place().Name, p.Paper(), refused)
	}
	p.endIfIdle(context.Background(), func() {})
}

// errReplaced is why a queued PDF is not sent. A user who has read it may copy the PDF
// again.
var errReplaced = &media.Error{Kind: media.Exists, Detail: "the pages of the paper have changed since this PDF was queued: somebody else has put a PDF there. Copy the PDF again to replace that one"}

// uncheckedWait is how long a PDF may be queued before its first attempt checks the
// paper's pages first. briefOutage is the same for the attempt after a server error, and
// how long such errors are not reported.
const (
	uncheckedWait = 30 * time.Second
	briefOutage   = 3 * time.Second
)

// queuedFor returns how long p has been queued. If an earlier run queued it, or the clock
// was set back, it returns a long time.
func (p *PDF) queuedFor() time.Duration { return time.Since(time.Unix(0, p.queuedAt.Load())).Abs() }

// queued returns when p was queued, or when this run began if an earlier one queued it.
func (p *PDF) queued() time.Time {
	if at := p.queuedAt.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return p.set.began
}

// sendQueued sends a queued PDF, unless others have put a PDF into the paper in the
// meantime: that one would be lost, because the service does not return PDFs. The service
// judges that if the paper's edition is known. Otherwise an attempt after a wait checks the pages.
// An attempt right after the close makes no check. Once an attempt may have reached the
// service, the pages may be those of this PDF, so the check no longer proves anything
// about others.
func (p *PDF) sendQueued(ctx context.Context) error {
	seen, over := p.draft.About().Seen, document.Edition{}
	if number, is := strings.CutPrefix(seen, media.SeenEdition); is {
		edition, _ := strconv.ParseInt(number, 10, 64)
		over = document.Edition{Number: remote.Version(edition), Since: p.queued()}
	} else if seen != "" {
		most := time.Duration(p.checkAfter.Load())
		ctx = document.IfUnchanged(ctx, seen, func() bool { return p.queuedFor() > most })
	}
	_, err := p.sendBy(ctx, p.place(), over, p.draft.SendQueued)
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

// reportLeftPaper reports a paper that may be left on the service without a PDF, because
// the name was removed while the paper was being created: the mount deletes a paper only
// on request. It reports nothing if another PDF goes to the paper, as after install and
// tar.
func (p *PDF) reportLeftPaper(err error) {
	to := p.place()
	if err == nil || !p.removed.Load() || !to.New || p.set.Has(to.At) {
		return
	}
	if !p.set.MayHaveCreated(to.At) && !p.set.HasCreated(p.Paper()) { // the answer may have arrived just before the removal
		return
	}
	name := to.besideName()
	p.set.Tell.Failed("remove", name, 0, errno.Refuse(syscall.EBUSY, fmt.Sprintf(
		"this PDF was removed while its paper was being created: %s%s may be on the service, without pages. Put a PDF there or, to delete it, run rmdir in a mount with --allow-delete",
		strings.TrimSuffix(name, names.PDFEndings[0]), names.Suffix)))
}
