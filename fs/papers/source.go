package papers

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
)

// pdfName is a name of a paper's PDF.
type pdfName interface {
	paper() int64                          // 0 if there is none yet
	entry() names.Entry                    // of a PDF beside a paper, else zero
	other() string                         // another name in the paper's directory, "" for source.pdf
	place(node *gofs.Inode) *pending.Place // where written content is sent
}

// source is source.pdf, or the PDF beside a paper (see beside.go). The last close of a
// complete PDF sends it to be processed; reading returns what was last sent from this
// machine.
type source struct {
	gofs.Inode
	*Tree
	pdfName
	file *pending.File
}

var (
	_ virtual.Node       = (*source)(nil)
	_ gofs.NodeGetattrer = (*source)(nil)
	_ gofs.NodeSetattrer = (*source)(nil)
	_ gofs.NodeOpener    = (*source)(nil)
	_ inode.Describer    = (*source)(nil)
)

// unknownSize is shown if the state cannot be read: programs take 0 to mean that there is
// nothing to read.
const unknownSize = 1

func (s *source) Attr(out *fuse.Attr) time.Duration {
	if s.attr(out) != nil { // the next operation repeats the failure and reports it
		out.Size = unknownSize
	}
	return 0
}

func (s *source) attr(out *fuse.Attr) error {
	paper := s.paper()
	writing := s.pending.Shown(paper, s.entry())
	is, sent, err := s.file.Current(paper) // after Shown, whose PDF may be sent at this moment
	since := s.Since(paper)()
	if !is { // a program may have it open
		writing, sent, _ = s.file.Content()
		err = nil
	}
	if !is || sent.SHA256 != "" && err == nil {
		since = sent.Written
	}
	s.Owner.Fill(out, inode.FileMode, since)
	out.Size = uint64(sent.Size)
	if writing != nil {
		writing.Attr(out)
	}
	return err
}

func (s *source) Describe() inode.Description {
	paper, d := s.paper(), inode.Description{State: inode.Local}
	if paper != 0 {
		d = s.About(paper).What()
	}
	d.Kind, d.Path = "file", virtual.Path(&s.Inode)
	sent, ok, _ := s.Documents.Source(paper)
	switch {
	case s.pending.Shown(paper, s.entry()) != nil:
		d.State = inode.Pending // the rest would be of what was sent before
	case ok:
		d.SHA256 = sent.SHA256
		if damage := s.Documents.Damage(paper); damage != "" {
			d.LastError = noPages + damage
		}
	}
	return d
}

func (s *source) Getattr(ctx context.Context, f gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.SetTimeout(0)
	err := s.attr(&out.Attr)
	out.Ino = s.StableAttr().Ino
	if h, ok := f.(*pending.Handle); ok && err == nil {
		shown := out.Attr
		if h.Attr(&out.Attr) && out.Size != shown.Size && !s.hasOpen(caller.Thread(ctx)) {
			out.Attr = shown
		}
	}
	if err != nil {
		return s.fail("stat", err)
	}
	return 0
}

// hasOpen reports whether the thread's program may have the file open for writing. A stat
// by name comes with the handle of any program, just like an fstat.
func (s *source) hasOpen(thread uint32) bool {
	p := caller.Watch(thread)
	if p == nil {
		return true
	}
	defer p.Close()
	holds, known := p.Holds(caller.File{Ino: s.StableAttr().Ino})
	return holds || !known
}

// Setattr truncates the content and sets its modification time.
func (s *source) Setattr(ctx context.Context, f gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if size, sets := in.GetSize(); sets {
		h, _ := f.(*pending.Handle)
		if err := s.pending.Truncate(s.opening(ctx, false), h, int64(size)); err != nil {
			return s.fail("write", err)
		}
	}
	// It sets the time of the unsent content or, without any, of the sent PDF. A File that is not current shows neither.
	if at, sets := in.GetMTime(); sets && s.current() && !s.pending.SetTime(s.paper(), s.entry(), at) {
		if err := s.Documents.SetWritten(s.paper(), at); err != nil {
			return s.fail("write", err)
		}
	}
	return s.Getattr(context.Background(), f, out)
}

func (s *source) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	return s.open(ctx, flags, false)
}

// open is Open. isNew is set if the open creates the name.
func (s *source) open(ctx context.Context, flags uint32, isNew bool) (gofs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE == syscall.O_RDONLY {
		return s.read()
	}
	if !isNew && !s.current() {
		return nil, 0, syscall.ESTALE // the kernel looks the name up again
	}
	if !isNew && flags&syscall.O_TRUNC == 0 && caller.Appends(caller.Thread(ctx)) && s.shownSize() > 0 {
		return nil, 0, s.fail("write", errAppends)
	}
	if other := s.other(); other != "" {
		if err := s.pending.Others.Claim(s.paper(), other); err != nil {
			return nil, 0, s.fail("write", err)
		}
	}
	// Direct I/O, because until it is sent, written content differs from what others read.
	return s.write(ctx, isNew), fuse.FOPEN_DIRECT_IO, 0
}

// errAppends is for rsync --append and --append-verify. They write the end of the new PDF
// after the old one, which damages the PDF if the two differ, and verify it only after the
// close that has sent it.
var errAppends = errno.Refuse(syscall.EOPNOTSUPP, "rsync --append would write the end of this file after the old PDF: leave out --append, and rsync sends the whole file")

func (s *source) shownSize() uint64 {
	var out fuse.Attr
	s.Attr(&out)
	return out.Size
}

// read opens the content being written, or else the PDF that was sent.
func (s *source) read() (gofs.FileHandle, uint32, syscall.Errno) {
	if _, _, whole := s.file.Content(); !whole {
		return nil, 0, syscall.ESTALE // the kernel looks the name up again
	}
	writing, sent, err := s.pending.Read(s.file, s.paper(), s.entry(), s.fail)
	switch {
	case err != nil && !s.current():
		return nil, 0, syscall.ESTALE
	case err != nil:
		return nil, 0, s.fail("read", err)
	case writing != nil:
		return writing, fuse.FOPEN_DIRECT_IO, 0
	}
	return sent, 0, 0
}

// write opens the PDF for writing; with isNew it is not shared with other handles.
func (s *source) write(ctx context.Context, isNew bool) *pending.Handle {
	return s.pending.Write(s.opening(ctx, isNew))
}

func (s *source) opening(ctx context.Context, isNew bool) pending.Opening {
	return pending.Opening{By: s.file, Thread: caller.Thread(ctx), New: isNew, Place: func() *pending.Place { return s.place(&s.Inode) }}
}

// fail reports the failure of a step before the PDF is sent.
func (s *source) fail(op string, err error) syscall.Errno {
	return s.Tell.Failed(op, virtual.Path(&s.Inode), s.paper(), err)
}
