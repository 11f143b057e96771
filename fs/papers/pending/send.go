package pending

import (
	"context"

	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/remote"
)

// send sends the content, written or queued.
func (p *PDF) send(ctx context.Context) error {
	to := p.place()
	_, err := p.sendBy(ctx, to, to.Edition, p.draft.Send)
	return err
}

// sendBy sends the content to a place, over an edition of the paper, and reports whether there was anything to send.
func (p *PDF) sendBy(ctx context.Context, to *Place, over document.Edition, send func(func(remote.Content) (string, error)) error) (sent bool, err error) {
	notified := func(context.Context) {}
	defer func() { notified(ctx) }()
	err = send(func(pdf remote.Content) (string, error) {
		sent = true
		sum, err := to.Send(ctx, p.Paper(), over, pdf, p.WrittenAt(), CreateHooks{p.making, func(paper int64) error {
			if p.Paper() == 0 && to.Notify != nil {
				notified = to.Notify()
			}
			return p.draft.For(paper, to.At.Dir, to.Path)
		}})
		if err == nil {
			p.sentThrough()
			p.set.clearUnsure(p.Paper())
			if !p.removed.Load() { // otherwise its name was removed while it was being sent
				p.set.Tree.Unhide(p.Paper())
			}
		}
		return sum, err
	})
	return sent, err
}

// making records whether an attempt may have created the paper of what is queued.
func (p *PDF) making(may bool) error {
	if !p.draft.Queued() {
		return nil
	}
	return p.draft.Change(func(pdf *media.PDF) { pdf.Making = may })
}

// end is called when nobody can write to p any more. It sends what no close has sent,
// because after an exec there may have been no close. Errors go to .paperfs/errors,
// because no call reports them. It does not wait: the kernel blocks readers while many
// releases are unanswered.
func (p *PDF) end(ctx context.Context) {
	last := func() {}
	to := p.place()
	if to != nil && p.claimed != "" {
		p.set.Others.Release(p.Paper(), p.claimed, p.succeeds())
	}
	if to != nil && !p.removed.Load() {
		ctx := context.WithoutCancel(ctx)
		last = func() { p.set.Tell.Tell("process", to.Name, p.Paper(), p.send(ctx)) }
	}
	p.draft.Release(last, func() { p.set.remove(p) }) // keep the sent content reachable until it is in the cache
}
