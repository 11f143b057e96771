package body

import (
	"cmp"
	"errors"
	"os"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
)

// LeftQueue returns once the next run knows, from change upto, that the content of a spool is not to be sent: it would replace
// what others send until then.
func (s *Bodies) LeftQueue(n *tree.Node, serial, upto uint64) {
	err := s.names.Journal.WaitWritten(upto)
	if err == nil || serial == 0 {
		return
	}
	if gone := s.Spools.MarkGone(serial); gone != nil {
		s.o.Log.Warn("cannot record that a PDF left the queue; the next mount sends it", "path", s.PlaceOf(n), "error", errors.Join(err, gone))
	}
}

// OpenPDF opens the content of a PDF that was sent, by its SHA-256.
func (s *Bodies) OpenPDF(sha256 string) (*os.File, error) {
	if sha256 == "" {
		return nil, names.ErrNotKept
	}
	paper := s.Contents.PaperOf(sha256)
	f, err := s.Contents.Open(sha256)
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.openSent(paper, sha256)
	}
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.Contents.Open(sha256) // it has just moved there
	}
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.ownPDF(sha256)
	}
	if errors.Is(err, os.ErrNotExist) {
		err = names.ErrNotKept
	}
	return f, err
}

// openSent opens the spool of a paper's PDF if that was sent. It returns os.ErrNotExist if it was not.
func (s *Bodies) openSent(paper int64, sha256 string) (*os.File, error) {
	s.names.Mu.RLock()
	n, path := s.names.PDFLocked(paper), ""
	if n != nil && n.Draft != 0 && n.State() == tree.Clean && n.Pub.SHA256.String() == sha256 {
		path = s.Spools.PathOf(n.Draft)
	}
	s.names.Mu.RUnlock()
	return os.Open(path)
}

// ownPDF opens a PDF in the service of this process, if a paper has its pages from it.
func (s *Bodies) ownPDF(sha256 string) (*os.File, error) {
	if s.o.OwnPDF == nil {
		return nil, os.ErrNotExist
	}
	f, sum, err := s.o.OwnPDF(s.Contents.PaperOf(sha256))
	if err == nil && sum == sha256 {
		return f, nil
	}
	_ = f.Close() // nil after an error
	return nil, os.ErrNotExist
}

// KeepSentBodyLocked moves the content of a PDF, all of which was sent, to the cache, where programs
// that have it open go on reading it. Body.Mu must be held.
func (s *Bodies) KeepSentBodyLocked(n *tree.Node) {
	b := n.Body()
	if b.Spool == nil || b.Spool.Frozen > 0 || b.Sum == "" || !s.KeepSent(n, b.Spool, b.Sum) {
		return // the next mount handles what could be kept nowhere
	}
	b.Spool = nil
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	n.Written, n.Own().Draft = false, 0 // it is n.Pub
	s.names.SaveLocked(n)
}

// KeepSent moves sent content of a PDF to the cache. If that has no room, the content moves to
// failed/, since the service does not return it. It reports false if it stays in the spool.
func (s *Bodies) KeepSent(n *tree.Node, sp *spool.File, sum string) bool {
	sp.Close()
	err := s.Contents.Take(sp.Path, sum)
	if err == nil {
		s.Room.Give(sp.Size)
		return true
	}
	s.names.Mu.RLock()
	e := failed.EntryOf(n, sp.Size, tree.Verdict{Reason: errors.New("the service has this PDF, but does not return it, and paperfs could not keep its own copy: " + err.Error())})
	e.Path = cmp.Or(e.Path, n.PDF.Path) // it may have lost its name
	s.names.Mu.RUnlock()
	s.o.Log.Warn("cannot cache published content", "path", e.Path, "error", err)
	if err = s.Failures.AddSent(sp.Path, e); err != nil {
		s.o.Log.Error("a PDF that was sent stays in the spool", "path", e.Path, "error", err)
	}
	return err == nil
}
