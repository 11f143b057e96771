package media

import (
	"errors"
	"os"
	"slices"

	"paperfs/cache/content/tree"
)

// WriteBack reports whether a close queues the written content.
func (s *Store) WriteBack() bool { return s.o.WriteBack }

// WritingPDFs returns the paths, from the mount's root, of PDFs with content that no close has
// sent or queued yet.
func (s *Store) WritingPDFs() (paths []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, n := range s.papers.Children {
		if n.Untried() && !s.temporary(n.PDF.Path) {
			paths = append(paths, tree.MountPath(n.PDF.Path))
		}
	}
	slices.Sort(paths)
	return paths
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
	if errors.Is(err, os.ErrNotExist) {
		err = errNotKept
	}
	return f, err
}

// openSent opens the spool of a PDF, all of which was sent. It returns os.ErrNotExist if there is none
// with this SHA-256.
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
