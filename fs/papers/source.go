package papers

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/caller"
	"paperfs/fs/describe"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
)

// pdfName is a name of a paper's PDF.
type pdfName interface {
	paper() int64                          // 0 where there is none yet
	entry() names.Entry                    // of a PDF beside a paper, else the zero one
	other() string                         // in the paper's directory, "" for source.pdf
	place(node *gofs.Inode) *pending.Place // where what is written is sent
}

// source is source.pdf, or the PDF beside a paper (see beside.go). What is written
// to it is sent to be processed when it is closed, whole; reading returns what was
// sent from here.
type source struct {
	gofs.Inode
	*Tree
	pdfName
}

var (
	_ virtual.Node         = (*source)(nil)
	_ gofs.NodeGetattrer   = (*source)(nil)
	_ gofs.NodeSetattrer   = (*source)(nil)
	_ gofs.NodeOpener      = (*source)(nil)
	_ gofs.NodeOnForgetter = (*source)(nil)
	_ describe.Describer   = (*source)(nil)
)

func (s *source) OnForget() { s.Numbers.Forget(s.StableAttr().Ino) }

// unread is the size that is shown where the state cannot be read: programs take 0 for "nothing to read".
const unknownSize = 1

func (s *source) Attr(out *fuse.Attr) time.Duration {
	if s.attr(out) != nil { // whoever goes on with it asks again, and is told
		out.Size = unknownSize
	}
	return 0
}

func (s *source) attr(out *fuse.Attr) error {
	paper := s.paper()
	writing := s.pending.Shown(paper, s.entry())
	sent, ok, err := s.Documents.Source(paper) // after what is being written: that may be sent just now
	since := s.Since(paper)()
	if ok && err == nil {
		since = sent.Written
	}
	s.Owner.Fill(out, inode.FileMode, since)
	out.Size = uint64(sent.Size)
	if writing != nil {
		return writing.Attr(out)
	}
	return err
}

func (s *source) Describe() describe.Description {
	paper := s.paper()
	if paper == 0 {
		return describe.Description{Kind: "file", State: describe.Local, Path: virtual.Path(&s.Inode)}
	}
	d := s.About(paper).What()
	d.Kind, d.Path = "file", virtual.Path(&s.Inode)
	if sent, ok, _ := s.Documents.Source(paper); ok {
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
		if err = h.Attr(&out.Attr); out.Size != shown.Size && h.Unwritten() && !s.hasOpen(caller.Thread(ctx)) {
			out.Attr = shown
		}
	}
	if err != nil {
		return s.fail("stat", err)
	}
	return 0
}

// hasOpen reports whether the program of a thread may have the file open for writing. A stat by name comes with
// the handle of any program, as an fstat does.
func (s *source) hasOpen(thread uint32) bool {
	p := caller.Watch(thread)
	if p == nil {
		return true
	}
	defer p.Close()
	holds, known := p.Holds(caller.File{Ino: s.StableAttr().Ino})
	return holds || !known
}

// Setattr truncates what is being written, and keeps the time at which it was.
func (s *source) Setattr(ctx context.Context, f gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if size, sets := in.GetSize(); sets {
		h, _ := f.(*pending.Handle)
		if err := s.pending.Truncate(s.paper(), s.entry(), h, caller.Thread(ctx), int64(size)); err != nil {
			return s.fail("write", err)
		}
	}
	if at, sets := in.GetMTime(); sets {
		if err := s.setTime(at); err != nil {
			return s.fail("write", err)
		}
	}
	return s.Getattr(context.Background(), f, out)
}

// setTime is for what is being written, else for what was sent.
func (s *source) setTime(at time.Time) error {
	paper := s.paper()
	if s.pending.SetTime(paper, s.entry(), at) || paper == 0 {
		return nil
	}
	return s.Documents.SetWritten(paper, at)
}

func (s *source) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	return s.open(ctx, flags, false)
}

// open is Open, or with isNew what a creation of the name opens.
func (s *source) open(ctx context.Context, flags uint32, isNew bool) (gofs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE == syscall.O_RDONLY {
		return s.read()
	}
	if !isNew && flags&syscall.O_TRUNC == 0 && caller.Appends(caller.Thread(ctx)) && s.shownSize() > 0 {
		return nil, 0, s.fail("write", errAppends)
	}
	if other := s.other(); other != "" {
		if err := s.pending.Others.Claim(s.paper(), other); err != nil {
			return nil, 0, s.fail("write", err)
		}
	}
	// Past the page cache: what is written is not what is read before it is sent.
	return s.write(ctx, flags, isNew), fuse.FOPEN_DIRECT_IO, 0
}

// errAppends is for rsync --append and --append-verify. They put the end of the new PDF after the
// old one, which makes a damaged PDF of two that differ, and look at it after the close that
// has sent it.
var errAppends = errno.Refuse(syscall.EOPNOTSUPP, "rsync --append would put the end of this file after the PDF that is here: leave out --append, and rsync sends the whole file")

func (s *source) shownSize() uint64 {
	var out fuse.Attr
	s.Attr(&out)
	return out.Size
}

// read opens what is being written, or else what was sent.
func (s *source) read() (gofs.FileHandle, uint32, syscall.Errno) {
	writing, sent, err := s.pending.Read(&s.Inode, s.paper(), s.entry(), s.fail)
	switch {
	case err != nil:
		return nil, 0, s.fail("read", err)
	case writing != nil:
		return writing, fuse.FOPEN_DIRECT_IO, 0
	}
	return sent, 0, 0
}

// write opens what is written here, for writing; with isNew others do not share it.
func (s *source) write(ctx context.Context, flags uint32, isNew bool) *pending.Handle {
	return s.pending.Write(pending.Opening{By: &s.Inode, Thread: caller.Thread(ctx), New: isNew, Empty: flags&syscall.O_TRUNC != 0, Place: func() *pending.Place { return s.place(&s.Inode) }})
}

// fail tells a step on the way to a PDF that is sent.
func (s *source) fail(op string, err error) syscall.Errno {
	return s.Tell.Failed(op, virtual.Path(&s.Inode), s.paper(), err)
}
