package media

import (
	"errors"
	"os"
	"strings"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// Send sends what was written since the last Send, using send, which returns the SHA-256 of the content.
// If there is nothing to send, it does nothing. After a failed write it fails.
func (d *Draft) Send(send func(remote.Content) (sha256 string, err error)) error {
	return d.h.store.publishTo(d.h.node, nil, d.destination(send))
}

// SendQueued is Send of queued content. If it was removed from the queue, SendQueued does nothing.
func (d *Draft) SendQueued(send func(remote.Content) (sha256 string, err error)) error {
	queued := peek(d, func(n *tree.Node) *tree.Delivery { return n.Delivery })
	if queued == nil {
		return nil
	}
	return d.h.store.publishTo(d.h.node, queued, d.destination(send))
}

// destination sends the content of a PDF.
func (d *Draft) destination(send func(remote.Content) (string, error)) destination {
	return func(f *frozen, _ target) (up remote.Upload, err error) {
		s, before := d.h.store, d.About()
		f.content.Path, f.content.Since = d.Path, s.o.Now()
		if f.delivery != nil {
			f.content.Gate = gate{f.delivery.Canceller, d}
		}
		s.progress.Begin(f.content)
		defer s.progress.End(f.content)
		up.SHA256, err = send(f.content)
		if f.delivery != nil {
			d.answered(f, err, before)
		}
		return up, err
	}
}

// unsentBodyLocked returns the generation of a PDF to be sent, 0 if there is none, or why it must not be
// sent; Body.Mu must be held.
func (s *Store) unsentBodyLocked(n *tree.Node) (gen uint64, err error) {
	b := n.Body()
	v := b.Verdict()
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case b.Gen == n.Settled() || n.Size == 0 && !v.Final:
		return 0, nil
	case v.Spoils(b.Gen):
		return b.Gen, v.Reason
	}
	return b.Gen, nil
}

// SeenEdition begins the Seen of a PDF that the service judges: it is sent only over the edition that follows, and where it
// stands already, that is no conflict.
const SeenEdition = "edition "

// gate is the spool.Gate of a request that sends queued content. Until all content is sent, the
// service has nothing, and a kill does not change Seen. Pages prove nothing after that, but an edition does.
type gate struct {
	*tree.Canceller
	d *Draft
}

// Finish implements spool.Gate.
func (g gate) Finish() error {
	if err := g.Canceller.Finish(); err != nil {
		return err
	}
	return g.d.Change(func(p *PDF) {
		if p.MayBeThere = true; !strings.HasPrefix(p.Seen, SeenEdition) {
			p.Seen = ""
		}
	})
}

// answered records the outcome of a request that sent queued content, of which before is what was known.
func (d *Draft) answered(f *frozen, err error, before PDF) {
	if e, ok := errors.AsType[*remote.Error](err); err != nil && !(ok && !e.Ambiguous && !before.MayBeThere) {
		return
	}
	_ = d.Change(func(p *PDF) { // if this fails, the next attempt does not check the paper
		p.MayBeThere = false
		if n := d.h.node; err != nil && n.Queued() && n.Delivery.Spool == f.spool.Serial {
			p.Seen = before.Seen
		}
	})
}

// sentPDF records that the service has f's content. The content is always either queued or sent.
func (f *frozen) sentPDF(sum string) {
	s, n := f.store, f.lock()
	s.mu.Lock()
	f.sum, n.Pub = sum, tree.SentPDF(sum, f.content.Length)
	s.recordSentLocked(n, f.gen, remote.Upload{SHA256: sum})
	upto := s.saveLocked(n)
	to := failed.Entry{Paper: n.PDF.Paper, Dir: n.PDF.Dir, Path: n.LastPath()}
	s.mu.Unlock()
	if f.delivery != nil {
		s.leftQueue(n, f.spool.Serial, upto)
	}
	n.Body().Mu.Unlock()
	s.failures.Overtake(to)
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
	s.mu.RUnlock()
	s.o.Log.Warn("cannot cache published content", "path", e.Path, "error", err)
	if err = s.failures.AddSent(sp.Path, e); err != nil {
		s.o.Log.Error("a PDF that was sent stays in the spool", "path", e.Path, "error", err)
	}
	return err == nil
}

// PinPDFs pins the PDFs with these SHA-256 digests, sent for a paper, in the content cache, and
// unpins others of that paper.
func (s *Store) PinPDFs(paper int64, sha256 []string) { s.contents.Keep(paper, sha256) }

// errNotKept is why a PDF that was sent cannot be read.
var errNotKept = &Error{Kind: NoContent, Detail: "the service does not return PDFs, and this machine has not kept this one"}

// OpenContent opens the content of a PDF that was sent by its SHA-256. Until its draft has ended, that
// is in the spool.
func (s *Store) OpenContent(sha256 string) (*os.File, error) {
	if sha256 == "" {
		return nil, errNotKept
	}
	f, err := s.contents.Open(sha256)
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.openSent(sha256)
	}
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.contents.Open(sha256) // it has just moved there
	}
	if !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	if s.o.OwnPDF != nil { // the cache is gone
		f, sum, err := s.o.OwnPDF(s.contents.PaperOf(sha256))
		if err == nil && sum == sha256 {
			return f, nil
		}
		_ = f.Close() // nil after an error
	}
	return nil, errNotKept
}

// openSent opens the spool of a PDF that the service has, by its SHA-256. It returns os.ErrNotExist if no
// spool has it.
func (s *Store) openSent(sha256 string) (*os.File, error) {
	path := ""
	s.mu.RLock()
	for _, n := range s.papers.Children {
		if b := n.Body(); n.Draft != 0 && b.Gen == b.Sent && n.Pub.SHA256.String() == sha256 {
			path = s.spools.PathOf(n.Draft)
		}
	}
	s.mu.RUnlock()
	return os.Open(path)
}
