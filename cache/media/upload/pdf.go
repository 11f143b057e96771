package upload

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/remote"
)

// Processor makes papers from PDFs: what is different from a file of media/. Package papers implements it.
type Processor interface {
	// Process sends a PDF to its paper, or creates that first. It returns the SHA-256 of what was sent.
	Process(ctx context.Context, p *Sending, content remote.Content) (sha256 string, err error)
	// Queueing checks content that is about to be queued, and notes what its paper is known to have, or that an attempt may have
	// created it.
	Queueing(pdf *tree.PDF, content remote.Content) error
	// SetWritten changes the time of the PDF that was sent last for a paper.
	SetWritten(paper int64, at time.Time) error
}

// SeenEdition begins the Seen of a PDF that the service judges: it is sent only over the edition that follows, and where it
// stands already, that is no conflict.
const SeenEdition = "edition "

// Process sets the Processor, and lets the queue send PDFs with it.
func (s *Uploader) Process(by Processor) {
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	s.PDFProcessor = by
	for _, n := range s.names.PDFsLocked() {
		s.names.OfferLocked(n)
	}
}

// Sending is a PDF that is being sent.
type Sending struct {
	tree.PDF           // Tree.Mu guards it from the begin of the upload on, since path reads it at any time
	Written  time.Time // when the content was written
	Queued   bool      // nobody waits for the outcome
	Last     error     // of the attempt before

	QueuedAt time.Time // zero if an earlier run queued it

	store *Uploader
	File  *body.Frozen // nil: an entry of failed/
}

// change changes what is known of the PDF, and returns once its row survives a kill.
func (p *Sending) change(edit func(*tree.PDF)) error {
	s, upto := p.store, uint64(0)
	s.names.Mu.Lock()
	edit(&p.PDF)
	if p.File != nil {
		n := p.File.OwnerLocked()
		before := *n.PDF
		edit(n.PDF)
		if before.MayBeThere = n.PDF.MayBeThere; *n.PDF != before && n.Queued() { // the next mount assumes so if Seen is empty
			upto = s.names.SaveLocked(n)
		}
	}
	s.names.Mu.Unlock()
	return s.names.Journal.WaitWritten(upto)
}

// Making records whether an attempt may have created the paper.
func (p *Sending) Making(may bool) error { return p.change(func(pdf *tree.PDF) { pdf.Making = may }) }

// Made records that the paper was created. removed reports that a program has removed the PDF meanwhile.
func (p *Sending) Made(paper int64) (removed bool, err error) {
	s, upto := p.store, uint64(0)
	s.names.Mu.Lock()
	p.Paper, p.PDF.Making = paper, false
	if p.File != nil {
		n := p.File.OwnerLocked()
		if removed = n.Parent == nil && n.Lost == ""; !n.Local() { // otherwise the rename gives it the name
			upto = s.names.GiveLocked(n, paper)
		}
	}
	s.names.Mu.Unlock()
	return removed, s.names.Journal.WaitWritten(upto)
}

// path returns the path that the PDF has now, as in failed.Entry.
func (p *Sending) path() string {
	p.store.names.Mu.RLock()
	pdf := p.PDF
	p.store.names.Mu.RUnlock()
	path, _, _ := p.store.o.PDFPath(pdf.Paper, pdf.Dir, pdf.Path)
	return path
}

// Removed reports whether a program has removed the PDF.
func (p *Sending) Removed() bool {
	return p.File != nil && p.store.names.RemovedHere(p.File.Owner())
}

// SendingLocked is what is known of content of n that is about to be sent as a PDF; Tree.Mu must be held.
func (s *Uploader) SendingLocked(pdf tree.PDF, n *tree.Node, f *body.Frozen) *Sending {
	return &Sending{PDF: pdf, Written: n.Mtime.Time(), File: f}
}

// processing sends the content of a PDF. pdf is what is known of it.
func (s *Uploader) processing(ctx context.Context, n *tree.Node) destination {
	return func(f *body.Frozen, _ names.Target) (up remote.Upload, err error) {
		s.names.Mu.RLock()
		p := s.SendingLocked(*n.PDF, n, f)
		if d := f.Delivery; d != nil {
			p.Queued, p.QueuedAt, p.Last = true, d.Since, d.Last
			f.Content.Gate = gate{d.Canceller, p}
		}
		s.names.Mu.RUnlock()
		return s.SendPDF(ctx, p, f.Content)
	}
}

func (s *Uploader) SendPDF(ctx context.Context, p *Sending, content *spool.Content) (up remote.Upload, err error) {
	before := p.PDF
	p.store = s
	s.Progress.Begin(content, p.path, s.o.Now())
	defer s.Progress.End(content)
	up.FileID, up.Size = -1, content.Length
	up.SHA256, err = s.PDFProcessor.Process(ctx, p, content)
	if p.Queued {
		p.answered(err, before)
	}
	return up, err
}

// gate is the spool.Gate of a request that sends queued content. Until all content is sent, the
// service has nothing, and a kill does not change Seen. Pages prove nothing after that, but an edition does.
type gate struct {
	*tree.Canceller
	p *Sending
}

// Finish implements spool.Gate.
func (g gate) Finish() error {
	if err := g.Canceller.Finish(); err != nil {
		return err
	}
	return g.p.change(func(pdf *tree.PDF) {
		if pdf.MayBeThere = true; !strings.HasPrefix(pdf.Seen, SeenEdition) {
			pdf.Seen = ""
		}
	})
}

// answered records the outcome of a request that sent queued content, of which before is what was known.
func (p *Sending) answered(err error, before tree.PDF) {
	if e, ok := errors.AsType[*remote.Error](err); err != nil && !(ok && !e.Ambiguous && !before.MayBeThere) {
		return
	}
	_ = p.change(func(pdf *tree.PDF) { // if this fails, the next attempt does not check the paper
		if pdf.MayBeThere = false; err != nil {
			pdf.Seen = before.Seen
		}
	})
}

// queueBusy queues a PDF whose paper has another one in processing, for a reason. The end of that job sends it.
func (s *Uploader) queueBusy(n *tree.Node, why error) error {
	err := s.Enqueue(n)
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	s.HoldLocked(n, why)
	return err
}

// HoldLocked lets a queued PDF wait a while; Tree.Mu must be held.
func (s *Uploader) HoldLocked(n *tree.Node, why error) {
	if n.Delivery != nil && why != nil {
		n.Delivery.Queue.Hold(n.Delivery, option.DefaultLinger, why)
	}
}

// JobEnded sends the PDF of a paper that has waited in the queue for the end of a job.
func (s *Uploader) JobEnded(paper int64) {
	s.names.Mu.RLock()
	n := s.names.PDFLocked(paper)
	waits := n != nil && n.Delivery != nil && (n.Delivery.Last == nil || Busy(n.Delivery.Last))
	s.names.Mu.RUnlock()
	if waits {
		s.names.PDFQueue.Retry()
	}
}

// PinPDFs pins the PDFs with these SHA-256 digests, sent for a paper, in the content cache, and
// unpins others of that paper.
func (s *Uploader) PinPDFs(paper int64, sha256 []string) { s.bodies.Contents.Keep(paper, sha256) }

// replacesPDF reports whether another PDF of a paper waits to be sent: a program has replaced the one that was sent.
func (s *Uploader) replacesPDF(paper int64) bool {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	n := s.names.PDFLocked(paper)
	return n != nil && n.Queued()
}

// CopyToFailed copies a sent PDF for which the service could not generate pages to failed/, with
// the reason. It does not replace an entry that was never sent. One of no paper, 0, is as if it
// was never sent.
func (s *Uploader) CopyToFailed(pdf *os.File, paper int64, path, reason string) error {
	if s.replacesPDF(paper) {
		return nil
	}
	info, err := pdf.Stat()
	if err != nil {
		return err
	}
	sp, err := s.bodies.Spools.From(pdf, info.Size())
	if err != nil {
		return err
	}
	sp.Close()
	add := s.bodies.Failures.AddDamaged
	if paper == 0 {
		add = s.bodies.Failures.Add
	}
	err = add(sp.Path, failed.Entry{Path: path, Reason: reason, Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(), Paper: paper})
	if err != nil {
		s.bodies.Spools.Drop(sp)
	}
	return err
}
