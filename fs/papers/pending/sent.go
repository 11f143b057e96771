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

// Reader is an open file that only reads. It reads what is being written through its inode, or else the
// PDF that the inode shows.
type Reader struct {
	file *File
	fail func(op string, err error) syscall.Errno

	mu     sync.Mutex // guards the rest
	f      *os.File   // the PDF that was sent
	sha256 string     // of f
}

var (
	_ gofs.FileReader   = (*Reader)(nil)
	_ gofs.FileFsyncer  = (*Reader)(nil)
	_ gofs.FileReleaser = (*Reader)(nil)
)

func (r *Reader) Read(_ context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	return readFrom(r.readAt, dest, off, r.fail)
}

// readAt reads what the inode shows now.
func (r *Reader) readAt(dest []byte, off int64) (int, error) {
	writing, sent, whole := r.file.Content()
	if writing != nil && whole {
		if n, err := writing.draft.ReadAt(dest, off); !errors.Is(err, os.ErrClosed) {
			return n, err
		}
		_, sent, whole = r.file.Content() // it has just been sent, or has failed
	}
	if !whole {
		return 0, errno.Refuse(syscall.ESTALE, "what a program wrote here was not sent, or another PDF took its place: open the file again")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sent.SHA256 != r.sha256 {
		f, err := r.file.set.Media.OpenContent(sent.SHA256)
		if err != nil {
			return 0, err
		}
		r.f.Close()
		r.f, r.sha256 = f, sent.SHA256
	}
	return r.f.ReadAt(dest, off)
}

func (r *Reader) Fsync(context.Context, uint32) syscall.Errno { return 0 }

func (r *Reader) Release(context.Context) syscall.Errno {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.f.Close()
	return 0
}

func readFrom(readAt func([]byte, int64) (int, error), dest []byte, off int64, fail func(op string, err error) syscall.Errno) (fuse.ReadResult, syscall.Errno) {
	n, err := readAt(dest, off)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fail("read", err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}
