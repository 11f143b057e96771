package pending

import (
	"context"
	"syscall"

	"paperfs/fs/errno"
	"paperfs/remote"
)

// send sends the content, written or queued.
func (p *PDF) send(ctx context.Context) error { return p.sendBy(ctx, p.draft.Send) }

func (p *PDF) sendBy(ctx context.Context, send func(func(remote.Content) (string, error)) error) error {
	notified, sent := func(context.Context) {}, false
	defer func() {
		if notified(ctx); sent {
			p.set.DropPages(ctx, p.paper.Load())
		}
	}()
	to := p.place()
	return send(func(pdf remote.Content) (string, error) {
		sum, err := to.Send(ctx, p.paper.Load(), pdf, p.WrittenAt(), CreateHooks{p.draft.Making, func(paper int64) error {
			if p.paper.Swap(paper) == 0 && to.Notify != nil {
				notified = to.Notify()
			}
			return p.draft.For(paper, to.Path)
		}})
		if err == nil {
			sent = true
			p.set.clearUnsure(p.paper.Load())
			if !p.removed.Load() { // otherwise its name was removed while it was being sent
				p.set.Tree.Unhide(p.paper.Load())
			}
		}
		return sum, err
	})
}

// end is called when nobody can write to p any more. It sends what no close has sent,
// because after an exec there may have been no close. Errors go to .paperfs/errors,
// because no call reports them. It does not wait: the kernel blocks readers while many
// releases are unanswered.
func (p *PDF) end(ctx context.Context) {
	last := func() {}
	to := p.place()
	if to != nil && p.claimed != "" {
		p.set.Others.Release(p.paper.Load(), p.claimed, p.written.Load() && p.draft.Failure() == nil)
	}
	if to != nil && !p.removed.Load() {
		p.reportEmpty(to)
	}
	if to != nil && p.written.Load() && !p.removed.Load() {
		ctx := context.WithoutCancel(ctx)
		last = func() { p.set.Tell.Tell("process", to.Name, p.paper.Load(), p.send(ctx)) }
	}
	p.draft.Release(last, func() { p.set.remove(p) }) // keep the sent content reachable until it is in the cache
}

// errEmpty is no failure of a close: programs such as touch and browsers make a file first, and fill
// it later.
var errEmpty = errno.Refuse(syscall.EINVAL, "the file was empty (0 bytes) when it was closed: an empty file is not a PDF, so nothing was sent")

// reportEmpty reports that nothing was sent because p, which nobody can write to any more, is
// empty.
func (p *PDF) reportEmpty(to *Place) {
	if size, err := p.size(); err == nil && size == 0 && p.draft.Failure() == nil {
		p.set.Tell.Failed("process", to.Name, p.paper.Load(), errEmpty)
	}
}
