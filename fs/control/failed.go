package control

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/cache/media/waiter"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
)

// failedDir is failed/, which lists unpublished content by name.
type failedDir struct{ virtual.Dir }

var (
	_ virtual.Node     = (*failedDir)(nil)
	_ gofs.NodeRenamer = (*failedDir)(nil)
)

func newFailedDir(env *virtual.Env, about virtual.About, m MediaStore) *failedDir {
	return &failedDir{virtual.Dir{Env: env, About: about, Mode: 0o700, Source: &failedSource{env, m}}}
}

// Retrier is a directory that can publish an entry of failed/ under a name of its own: one
// of media/, or a paper. After a success the entry no longer exists, and the kernel looks
// up the new name, which is not the file that it moved.
type Retrier interface {
	RetryFailed(ctx context.Context, entry, name string, noReplace bool) error
}

// Rename into media/, or onto a paper's source.pdf, tries again. For other directories of
// the mount it returns EXDEV, which makes mv copy and then remove.
func (d *failedDir) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^virtual.RenameNoReplace != 0 {
		return syscall.EINVAL
	}
	to, ok := newParent.(Retrier)
	if !ok {
		if newParent.EmbeddedInode() == d.EmbeddedInode() {
			return syscall.EPERM
		}
		return syscall.EXDEV
	}
	path, target := virtual.Path(&d.Inode, name), virtual.Path(newParent.EmbeddedInode(), newName)
	tell := func(err error) syscall.Errno { return d.Tell.Tell("rename", path, 0, errno.Onto(target, err)) }
	work, leave := waiter.With(context.WithoutCancel(ctx))
	err := virtual.Change(ctx, func(context.Context) error {
		defer leave()
		err := to.RetryFailed(work, name, newName, flags&virtual.RenameNoReplace != 0)
		if err == nil {
			d.Tell.Tell("upload", target, 0, nil)
		}
		return err
	}, func(err error) {
		if !errors.Is(err, waiter.ErrLeft) {
			tell(err)
		}
	})
	if errors.Is(err, context.Canceled) {
		leave()
	}
	return tell(err)
}

// failedSource lists the entries of failed/. Removing an entry discards it.
type failedSource struct {
	env   *virtual.Env
	media MediaStore
}

var _ virtual.Remover = (*failedSource)(nil)

func (s *failedSource) List(context.Context) ([]virtual.Entry, error) {
	var entries []virtual.Entry
	for _, e := range s.media.Failed() {
		entries = append(entries, virtual.FileEntry(e.Name))
	}
	return entries, nil
}

func (s *failedSource) Find(_ context.Context, name string) (virtual.Node, error) {
	if _, ok := s.entry(name); !ok {
		return nil, nil
	}
	return &failedFile{Env: s.env, source: s, name: name}, nil
}

func (s *failedSource) Remove(_ context.Context, name string) error {
	return s.media.DiscardFailed(name)
}

func (s *failedSource) entry(name string) (media.FailedEntry, bool) {
	for _, e := range s.media.Failed() {
		if e.Name == name {
			return e, true
		}
	}
	return media.FailedEntry{}, false
}

// failedFile is the content of one entry, read-only.
type failedFile struct {
	gofs.Inode
	*virtual.Env
	source *failedSource
	name   string
}

var (
	_ virtual.Node         = (*failedFile)(nil)
	_ inode.Describer      = (*failedFile)(nil)
	_ gofs.NodeGetattrer   = (*failedFile)(nil)
	_ gofs.NodeSetattrer   = (*failedFile)(nil)
	_ gofs.NodeOpener      = (*failedFile)(nil)
	_ gofs.NodeReader      = (*failedFile)(nil)
	_ gofs.NodeReleaser    = (*failedFile)(nil)
	_ gofs.NodeOnForgetter = (*failedFile)(nil)
)

// failedContent is the handle of a failedFile. It stays readable when the entry is
// removed.
type failedContent struct{ file *os.File }

// Attr shows the times of the content, so that mv preserves them. A newer attempt may
// replace the content at any moment, so the kernel caches nothing.
func (f *failedFile) Attr(out *fuse.Attr) time.Duration {
	e, _ := f.source.entry(f.name)
	f.Owner.Fill(out, syscall.S_IFREG|e.Mode&0o777, e.ModTime)
	out.Size = uint64(e.Size)
	return 0
}

func (f *failedFile) Getattr(_ context.Context, h gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	virtual.FillAttr(f, out)
	if c, ok := h.(*failedContent); ok {
		if info, err := c.file.Stat(); err == nil {
			out.Size = uint64(info.Size())
		}
	}
	return 0
}

func (f *failedFile) Setattr(ctx context.Context, h gofs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return f.Getattr(ctx, h, out)
}

func (f *failedFile) Open(_ context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE != syscall.O_RDONLY {
		return nil, 0, syscall.EACCES
	}
	file, err := f.source.media.OpenFailed(f.name)
	if err != nil {
		return nil, 0, f.Tell.Tell("read", virtual.Path(&f.Inode), 0, err)
	}
	return &failedContent{file}, 0, 0
}

func (f *failedFile) Read(_ context.Context, h gofs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	n, err := h.(*failedContent).file.ReadAt(dest, off)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, f.Tell.Tell("read", virtual.Path(&f.Inode), 0, err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

func (f *failedFile) Release(_ context.Context, h gofs.FileHandle) syscall.Errno {
	_ = h.(*failedContent).file.Close() // it was only read
	return 0
}

func (f *failedFile) OnForget() { f.Numbers.Forget(f.StableAttr().Ino) }

// Describe implements inode.Describer.
func (f *failedFile) Describe() inode.Description {
	e, _ := f.source.entry(f.name)
	return inode.Description{Path: virtual.Path(&f.Inode), Kind: "file", State: inode.Failed, LastError: e.Reason}
}
