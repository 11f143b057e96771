package pending

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"paperfs/fs/errno"
)

// NewTemp returns content with a temporary name: no close sends it.
func (s *Set) NewTemp(dir int64, path string) *PDF {
	return &PDF{set: s, draft: s.Media.NewDraft(dir, 0, path), tempNamed: true}
}

// TempNameRemoved is called when the temporary name of p was removed.
func (p *PDF) TempNameRemoved(ctx context.Context) {
	p.draft.Unlink()
	p.endIfIdle(ctx, func() { p.tempNamed = false })
}

// MoveTo gives p another temporary name.
func (p *PDF) MoveTo(dir int64, path string) error { return p.draft.For(dir, 0, path) }

// SetTime sets the modification time of p, which has or had a temporary name.
func (p *PDF) SetTime(mtime time.Time) error {
	err := p.draft.SetWritten(mtime)
	if p.place() != nil && p.draft.Clean() { // it was sent and is still open
		err = p.set.Documents.SetWritten(p.Paper(), mtime)
	}
	return err
}

// PublishOnClose gives p, which is open for writing, the name of a PDF: the close of its
// writer sends it. It returns false if that close has just happened. unname removes the
// temporary name.
func (p *PDF) PublishOnClose(to *Place, unname func()) (is bool, err error) {
	return p.giveName(to, nil, unname)
}

// SendTo sends the content to a place. If that succeeds, p becomes that place's PDF,
// unless a program has written to it since: the rename continues after its caller was
// interrupted. An empty PDF creates nothing.
func (p *PDF) SendTo(ctx context.Context, to *Place, unname func()) (err error) {
	queues := p.set.Media.WriteBack()
	is, err := p.giveName(to, func() (all bool, err error) {
		if queues {
			return true, p.draft.Queue(p.queuing(to, to.Paper))
		}
		sent, err := p.sendBy(ctx, to, to.Edition, p.draft.Send)
		if err == nil && !sent && p.draft.Size() > 0 {
			err = errno.Refuse(syscall.ENOENT, "another rename has sent this file")
		}
		return p.draft.Clean() || !sent, err
	}, unname)
	if queues && (err == nil && !is || errors.Is(err, os.ErrClosed)) {
		return errUnlinked
	}
	return err
}

// giveName gives p the name of a PDF, after send, if there is one, has sent or queued all of it.
func (p *PDF) giveName(to *Place, send func() (all bool, err error), unname func()) (is bool, err error) {
	if to.Other != "" {
		if err := p.set.Others.Claim(to.Paper, to.Other); err != nil {
			return false, err
		}
		defer func() {
			if !is {
				p.set.Others.Release(to.Paper, to.Other, false)
			}
		}()
	}
	p.draft.ClearFailure()
	if err := p.draft.For(to.Paper, to.At.Dir, to.Path); err != nil {
		return false, err
	}
	if send != nil {
		if all, err := send(); err != nil || !all {
			return false, err
		}
	}
	if !p.set.becomePDF(p, to, send == nil) {
		return false, nil
	}
	unname()
	if p.draft.Queued() {
		p.publish()
	}
	p.endIfIdle(context.Background(), func() {})
	return true, nil
}

// errUnlinked is for a rename that continues after its caller was interrupted.
var errUnlinked = errno.Refuse(syscall.ENOENT, "this file was removed before it was queued under its new name")

// becomePDF turns p from a temporary file into a PDF of a place. The next close of a
// writer sends later writes, and with all set, earlier ones too; is is then false if no
// close will follow.
func (s *Set) becomePDF(p *PDF, to *Place, all bool) (is bool) {
	s.mu.Lock()
	if p.ended || all && !p.heldLocked() {
		s.mu.Unlock()
		return false // ended: it was removed and is not open
	}
	older := s.forsakeLocked(replacedBy(p.Paper(), to.At, p))
	p.dest, p.tempNamed, p.claimed = to, false, to.Other
	s.pdfs = append(s.pdfs, p)
	if all {
		for _, h := range p.handles {
			h.file.TakeOver()
		}
	}
	s.mu.Unlock()
	s.unqueue(older)
	return true
}
