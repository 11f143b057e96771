package media

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// Processor makes papers from PDFs: what is different from a file of media/. Package papers implements it.
type Processor interface {
	// Process sends a PDF to its paper, or creates that first. It returns the SHA-256 of what was sent.
	Process(ctx context.Context, p *Sending, content remote.Content) (sha256 string, err error)
	// Queueing checks content that is about to be queued, and notes what its paper is known to have, or that an attempt may have
	// created it.
	Queueing(pdf *PDF, content remote.Content) error
	// SetWritten changes the time of the PDF that was sent last for a paper.
	SetWritten(paper int64, at time.Time) error
}

// SeenEdition begins the Seen of a PDF that the service judges: it is sent only over the edition that follows, and where it
// stands already, that is no conflict.
const SeenEdition = "edition "

// Process sets the Processor, and lets the queue send PDFs with it.
func (s *Store) Process(by Processor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processor = by
	for _, n := range s.pdfsLocked() {
		s.offerLocked(n)
	}
}

// Sending is a PDF that is being sent.
type Sending struct {
	PDF
	Written time.Time // when the content was written
	Queued  bool      // nobody waits for the outcome
	Last    error     // of the attempt before

	QueuedAt time.Time // zero if an earlier run queued it

	store *Store
	file  *frozen // nil: an entry of failed/
}

// change changes what is known of the PDF, and returns once its row survives a kill.
func (p *Sending) change(edit func(*PDF)) error {
	edit(&p.PDF)
	if p.file == nil {
		return nil
	}
	s, upto := p.store, uint64(0)
	s.mu.Lock()
	n := p.file.ownerLocked()
	before := *n.PDF
	edit(n.PDF)
	if before.MayBeThere = n.PDF.MayBeThere; *n.PDF != before && n.Queued() { // the next mount assumes so if Seen is empty
		upto = s.saveLocked(n)
	}
	s.mu.Unlock()
	return s.journal.WaitWritten(upto)
}

// Making records whether an attempt may have created the paper.
func (p *Sending) Making(may bool) error { return p.change(func(pdf *PDF) { pdf.Making = may }) }

// Made records that the paper was created. removed reports that a program has removed the PDF meanwhile.
func (p *Sending) Made(paper int64) (removed bool, err error) {
	p.Paper, p.PDF.Making = paper, false
	if p.file == nil {
		return false, nil
	}
	s := p.store
	s.mu.Lock()
	n := p.file.ownerLocked()
	removed = n.Parent == nil && n.Lost == ""
	upto := uint64(0)
	if !n.Local() { // otherwise the rename gives it the name
		upto = s.giveLocked(n, paper)
	}
	s.mu.Unlock()
	return removed, s.journal.WaitWritten(upto)
}

// Removed reports whether a program has removed the PDF.
func (p *Sending) Removed() bool {
	if p.file == nil {
		return false
	}
	n := p.file.owner()
	return p.store.orphaned(n)
}

// sendingLocked is what is known of content of n that is about to be sent as a PDF; s.mu must be held.
func (s *Store) sendingLocked(pdf PDF, n *tree.Node, f *frozen) *Sending {
	return &Sending{PDF: pdf, Written: n.Mtime.Time(), store: s, file: f}
}

// processing sends the content of a PDF. pdf is what is known of it.
func (s *Store) processing(ctx context.Context, n *tree.Node) destination {
	return func(f *frozen, _ target) (up remote.Upload, err error) {
		s.mu.RLock()
		p := s.sendingLocked(*n.PDF, n, f)
		if d := f.delivery; d != nil {
			p.Queued, p.QueuedAt, p.Last = true, d.Since, d.Last
			f.content.Gate = gate{d.Canceller, p}
		}
		s.mu.RUnlock()
		return s.process(ctx, p, f.content)
	}
}

func (s *Store) process(ctx context.Context, p *Sending, content *spool.Content) (up remote.Upload, err error) {
	before := p.PDF
	content.Path, content.Since = func() (path string) { path, _, _ = s.o.PDFPath(p.Paper, p.Dir, p.Path); return path }, s.o.Now()
	s.progress.Begin(content)
	defer s.progress.End(content)
	up.FileID, up.Size = -1, content.Length
	up.SHA256, err = s.processor.Process(ctx, p, content)
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
	return g.p.change(func(pdf *PDF) {
		if pdf.MayBeThere = true; !strings.HasPrefix(pdf.Seen, SeenEdition) {
			pdf.Seen = ""
		}
	})
}

// answered records the outcome of a request that sent queued content, of which before is what was known.
func (p *Sending) answered(err error, before PDF) {
	if e, ok := errors.AsType[*remote.Error](err); err != nil && !(ok && !e.Ambiguous && !before.MayBeThere) {
		return
	}
	_ = p.change(func(pdf *PDF) { // if this fails, the next attempt does not check the paper
		if pdf.MayBeThere = false; err != nil {
			pdf.Seen = before.Seen
		}
	})
}

// queueingBodyLocked checks content of n that is about to be queued as a PDF, to replace what was sent before, and notes what its paper
// is known to have; Body.Mu must be held.
func (s *Store) queueingBodyLocked(n *tree.Node, pdf *PDF, before tree.Version) (err error) {
	s.mu.RLock()
	was, by, twin := *pdf, s.processor, s.papers.Children[strconv.FormatInt(pdf.Paper, 10)]
	unsure := pdf.MayBeThere || twin != nil && twin.Unsure // what was queued before may still take effect
	s.mu.RUnlock()
	if err = by.Queueing(&was, n.Body().Spool.Content()); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	pdf.Again, pdf.Making = n.Body().Spool.Size == before.Size, was.Making
	if pdf.Seen = was.Seen; unsure {
		pdf.Seen = ""
	}
	return nil
}

// sentPDF records that the service has f's content. The content is always either queued or sent.
func (f *frozen) sentPDF(up remote.Upload) {
	s, n := f.store, f.lock()
	s.mu.Lock()
	s.serial++
	f.sum, n.Pub = up.SHA256, tree.SentPDF(up.SHA256, f.content.Length, n.Mtime.Time())
	n.Own().Changed = s.serial
	s.recordSentLocked(n, f.gen, up)
	if n.Parent != nil {
		n.Parent.Unsure = false
	}
	upto := s.saveLocked(n)
	to := failed.Entry{Paper: n.PDF.Paper, Dir: n.PDF.Dir, Path: n.LastPath()}
	s.mu.Unlock()
	if f.delivery != nil {
		s.leftQueue(n, f.spool.Serial, upto)
	}
	n.Body().Mu.Unlock()
	s.failures.Overtake(to)
}

// keepSentBodyLocked moves the content of a PDF, all of which was sent, to the cache, where programs
// that have it open go on reading it. Body.Mu must be held.
func (s *Store) keepSentBodyLocked(n *tree.Node) {
	b := n.Body()
	if b.Spool == nil || b.Spool.Frozen > 0 || b.Sum == "" || !s.keepSent(n, b.Spool, b.Sum) {
		return // the next mount handles what could be kept nowhere
	}
	b.Spool = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	n.Written, n.Own().Draft = false, 0 // it is n.Pub
	s.saveLocked(n)
}

// keepSent moves sent content of a PDF to the cache. If that has no room, the content moves to
// failed/, since the service does not return it. It reports false if it stays in the spool.
func (s *Store) keepSent(n *tree.Node, sp *spool.File, sum string) bool {
	sp.Close()
	err := s.contents.Take(sp.Path, sum)
	if err == nil {
		s.room.Give(sp.Size)
		return true
	}
	s.mu.RLock()
	e := failed.EntryOf(n, sp.Size, tree.Verdict{Reason: errors.New("the service has this PDF, but does not return it, and paperfs could not keep its own copy: " + err.Error())})
	e.Path = cmp.Or(e.Path, n.PDF.Path) // it may have lost its name
	s.mu.RUnlock()
	s.o.Log.Warn("cannot cache published content", "path", e.Path, "error", err)
	if err = s.failures.AddSent(sp.Path, e); err != nil {
		s.o.Log.Error("a PDF that was sent stays in the spool", "path", e.Path, "error", err)
	}
	return err == nil
}

// queueBusy queues a PDF whose paper has another one in processing, for a reason. The end of that job sends it.
func (s *Store) queueBusy(n *tree.Node, why error) error {
	err := s.queue(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holdLocked(n, why)
	return err
}

// holdLocked lets a queued PDF wait a while; s.mu must be held.
func (s *Store) holdLocked(n *tree.Node, why error) {
	if n.Delivery != nil && why != nil {
		n.Delivery.Queue.Hold(n.Delivery, defaultLinger, why)
	}
}

// JobEnded sends the PDF of a paper that has waited in the queue for the end of a job.
func (s *Store) JobEnded(paper int64) {
	s.mu.RLock()
	n := s.pdfLocked(paper)
	waits := n != nil && n.Delivery != nil && (n.Delivery.Last == nil || busy(n.Delivery.Last))
	s.mu.RUnlock()
	if waits {
		s.pdfs.Retry()
	}
}

// PinPDFs pins the PDFs with these SHA-256 digests, sent for a paper, in the content cache, and
// unpins others of that paper.
func (s *Store) PinPDFs(paper int64, sha256 []string) { s.contents.Keep(paper, sha256) }

// replacesPDF reports whether another PDF of a paper waits to be sent: a program has replaced the one that was sent.
func (s *Store) replacesPDF(paper int64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.pdfLocked(paper)
	return n != nil && n.Queued()
}

// CopyToFailed copies a sent PDF for which the service could not generate pages to failed/, with
// the reason. It does not replace an entry that was never sent. One of no paper, 0, is as if it
// was never sent.
func (s *Store) CopyToFailed(pdf *os.File, paper int64, path, reason string) error {
	if s.replacesPDF(paper) {
		return nil
	}
	info, err := pdf.Stat()
	if err != nil {
		return err
	}
	sp, err := s.spools.From(pdf, info.Size())
	if err != nil {
		return err
	}
	sp.Close()
	add := s.failures.AddDamaged
	if paper == 0 {
		add = s.failures.Add
	}
	err = add(sp.Path, failed.Entry{Path: path, Reason: reason, Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(), Paper: paper})
	if err != nil {
		s.spools.Drop(sp)
	}
	return err
}

// RetryPDF sends an entry of failed/ as a PDF, and removes the entry if that succeeds. It returns the paper.
func (s *Store) RetryPDF(ctx context.Context, entry string, pdf PDF) (paper int64, err error) {
	e, f, end, err := s.beginRetry(entry)
	if err != nil {
		return 0, err
	}
	defer end()
	p := &Sending{PDF: pdf, Written: e.ModTime}
	up, err := s.process(ctx, p, &spool.Content{F: f, Length: e.Size})
	if err != nil {
		return 0, err
	}
	s.mu.RLock()
	n := s.pdfLocked(p.Paper)
	s.mu.RUnlock()
	if n != nil { // what is written or queued there is older
		err = s.RemovePDF(n.Parent.Ino, Source)
	}
	return p.Paper, errors.Join(err, s.sentFailed(e, versionOf(up)))
}
