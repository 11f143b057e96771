package papers

import (
	"context"
	"os"
	"sync"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// reading is the handle of a PDF that was sent from here. All who have the PDF open share
// the pages that the kernel keeps of it, so each of them goes on with what was sent last:
// with content of its own, an older one would fill in pages for those who came later.
type reading struct {
	*Tree
	paper int64
	fail  func(op string, err error) syscall.Errno

	mu     sync.Mutex // guards the rest
	f      *os.File
	sha256 string // of f
}

var (
	_ gofs.FileReader   = (*reading)(nil)
	_ gofs.FileFsyncer  = (*reading)(nil)
	_ gofs.FileReleaser = (*reading)(nil)
)

func (r *reading) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.follow(); err != nil {
		return nil, r.fail("read", err)
	}
	return readFrom(r.f.ReadAt, dest, off, r.fail)
}

// follow opens what was sent since, if anything was. r.mu is held.
func (r *reading) follow() error {
	sent, ok, err := r.Documents.Source(r.paper)
	if err != nil || !ok || sent.SHA256 == r.sha256 {
		return err
	}
	f, sha256, err := r.openSent(r.paper)
	if err != nil {
		return err
	}
	r.f.Close()
	r.f, r.sha256 = f, sha256
	return nil
}

func (r *reading) Fsync(context.Context, uint32) syscall.Errno { return 0 }

func (r *reading) Release(context.Context) syscall.Errno {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.f.Close()
	return 0
}
