package pending

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
)

// openSent opens the PDF that was sent from this machine for a paper.
func (s *Set) openSent(paper int64) (f *os.File, sha256 string, err error) {
	sent, ok, err := s.Documents.Source(paper)
	if err != nil {
		return nil, "", err
	}
	if ok {
		f, err = s.OpenContent(paper, sent.SHA256)
	}
	if !ok || errors.Is(err, os.ErrNotExist) {
		return nil, "", errno.Refuse(syscall.EOPNOTSUPP, "the service does not return PDFs, and this machine has not kept this one")
	}
	return f, sent.SHA256, err
}

// OpenContent opens content that was sent. It is in the cache once the release after the
// close is done.
func (s *Set) OpenContent(paper int64, sha256 string) (*os.File, error) {
	f, err := s.Media.OpenContent(sha256)
	for _, p := range s.ofPaper(paper) {
		if err != nil {
			f, err = p.draft.OpenSent(sha256)
		}
	}
	if err != nil {
		f, err = s.Media.OpenContent(sha256) // the release has just moved it
	}
	return f, err
}

// Sent is the handle of a PDF that was sent from this machine. All handles of the PDF
// share the kernel's page cache, so each reads the PDF sent last: an older handle with its
// own content would fill pages for later ones. When a new PDF is sent, Set.DropPages drops
// the pages.
type Sent struct {
	set   *Set
	by    *gofs.Inode // the inode that was opened
	paper int64
	fail  func(op string, err error) syscall.Errno

	mu     sync.Mutex // guards the rest
	f      *os.File
	sha256 string // of f
}

var (
	_ gofs.FileReader   = (*Sent)(nil)
	_ gofs.FileFsyncer  = (*Sent)(nil)
	_ gofs.FileReleaser = (*Sent)(nil)
)

func (r *Sent) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.follow(); err != nil {
		return nil, r.fail("read", err)
	}
	return readFrom(r.f.ReadAt, dest, off, r.fail)
}

// follow reopens the PDF if a newer one was sent. The caller holds r.mu.
func (r *Sent) follow() error {
	sent, ok, err := r.set.Documents.Source(r.paper)
	if err != nil || !ok || sent.SHA256 == r.sha256 {
		return err
	}
	f, sha256, err := r.set.openSent(r.paper)
	if err != nil {
		return err
	}
	r.f.Close()
	r.f, r.sha256 = f, sha256
	return nil
}

func (r *Sent) Fsync(context.Context, uint32) syscall.Errno { return 0 }

func (r *Sent) Release(context.Context) syscall.Errno {
	r.set.removeReader(r)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.f.Close()
	return 0
}

func readFrom(readAt func([]byte, int64) (int, error), dest []byte, off int64, fail func(op string, err error) syscall.Errno) (fuse.ReadResult, syscall.Errno) {
	n, err := readAt(dest, off)
	if err != nil && err != io.EOF {
		return nil, fail("read", err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}
