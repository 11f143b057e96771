package media

import (
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

// OpenContent opens cached content by its SHA-256. It returns os.ErrNotExist if the content is
// not cached.
func (s *Store) OpenContent(sha256 string) (*os.File, error) { return s.contents.Open(sha256) }
