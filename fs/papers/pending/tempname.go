package pending

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"paperfs/fs/errno"
	"paperfs/remote"
)

// NewTemp returns content with a temporary name: no close sends it.
func (s *Set) NewTemp(dir int64, path string) *PDF {
	return &PDF{set: s, draft: s.Media.NewDraft(dir, path), tempNamed: true}
}

// TempNameRemoved is called when the temporary name of p was removed.
func (p *PDF) TempNameRemoved(ctx context.Context) {
	p.draft.Unlink()
	if p.set.clearTempName(p) {
		p.end(ctx)
	}
}

// clearTempName removes the temporary name of p. It reports whether that ends p.
func (s *Set) clearTempName(p *PDF) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.tempNamed = false
	return p.endIfIdleLocked()
}

// MoveTo gives p another temporary name.
func (p *PDF) MoveTo(dir int64, path string) error { return p.draft.For(dir, path) }

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
	if err := p.draft.For(to.Paper, to.Path); err != nil {
		return false, err
	}
	is, ends := p.set.becomePDF(p, to, to.Paper, true)
	if !is {
		return false, nil
	}
	if unname(); ends {
		p.end(context.Background())
	}
	return true, nil
}

// SendTo sends the content to a place. If that succeeds, p becomes that place's PDF,
// unless a program has written to it since: the rename continues after its caller was
// interrupted. An empty PDF creates nothing.
func (p *PDF) SendTo(ctx context.Context, to *Place, unname func()) (err error) {
	if to.Other != "" {
		if err := p.set.Others.Claim(to.Paper, to.Other); err != nil {
			return err
		}
		defer func() { p.set.Others.Release(to.Paper, to.Other, err == nil) }()
	}
	p.draft.ClearFailure()
	if err := p.draft.For(to.Paper, to.Path); err != nil {
		return err
	}
	if p.set.Media.WriteBack() {
		return p.queueFor(to, unname)
	}
	sum, paper := "", to.Paper
	err = p.draft.Send(func(pdf remote.Content) (_ string, err error) {
		sum, err = to.Send(ctx, paper, pdf, p.WrittenAt(), CreateHooks{Created: func(made int64) error {
			paper = made
			return p.draft.For(made, to.Path)
		}})
		return sum, err
	})
	if err == nil && sum != "" {
		p.set.Tree.Unhide(paper)
	}
	switch {
	case err != nil:
		return err
	case sum == "" && p.draft.Size() > 0:
		return errno.Refuse(syscall.ENOENT, "another rename has sent this file")
	case sum != "" && !p.draft.Clean():
		return nil
	}
	unname()
	if _, ends := p.set.becomePDF(p, to, paper, false); ends {
		p.end(ctx)
	}
	return nil
}

// queueFor is the rest of SendTo with write-back.
func (p *PDF) queueFor(to *Place, unname func()) error {
	if err := p.draft.Queue(p.queuing(to, to.Paper)); errors.Is(err, os.ErrClosed) {
		return errUnlinked
	} else if err != nil {
		return err
	}
	unname()
	is, ends := p.set.becomePDF(p, to, to.Paper, false)
	switch {
	case ends:
		p.end(context.Background())
	case !is:
		return errUnlinked
	default:
		p.publish()
	}
	return nil
}

// errUnlinked is for a rename that continues after its caller was interrupted.
var errUnlinked = errno.Refuse(syscall.ENOENT, "this file was removed before it was queued under its new name")

// becomePDF turns p from a temporary file into a PDF of a place. The next close of a
// writer sends later writes, and with all set, earlier ones too; is is then false if no
// close will follow. ends reports whether nobody can write to p any more.
func (s *Set) becomePDF(p *PDF, to *Place, paper int64, all bool) (is, ends bool) {
	s.mu.Lock()
	if p.ended || all && !p.heldLocked() {
		s.mu.Unlock()
		return false, false // ended: it was removed and is not open
	}
	older := s.replaceLocked(paper, to.At, p)
	p.dest, p.tempNamed = to, false
	p.written.Store(true)
	s.pdfs = append(s.pdfs, p)
	if all {
		p.claimed = to.Other
		for _, h := range p.handles {
			h.file.TakeOver()
		}
	}
	ends = p.endIfIdleLocked()
	s.mu.Unlock()
	s.unqueue(older)
	return true, ends
}
