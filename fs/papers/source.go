package papers

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/library"
	"paperfs/cache/media"
	"paperfs/fs/attr"
	"paperfs/fs/describe"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/request"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// source is source.pdf. What is written to it is sent to be processed when it
// is closed, whole; reading returns what was sent from here.
type source struct {
	gofs.Inode
	*Tree
	id int64
}

var (
	_ virtual.Node         = (*source)(nil)
	_ gofs.NodeGetattrer   = (*source)(nil)
	_ gofs.NodeSetattrer   = (*source)(nil)
	_ gofs.NodeOpener      = (*source)(nil)
	_ gofs.NodeReader      = (*source)(nil)
	_ gofs.NodeWriter      = (*source)(nil)
	_ gofs.NodeFlusher     = (*source)(nil)
	_ gofs.NodeFsyncer     = (*source)(nil)
	_ gofs.NodeReleaser    = (*source)(nil)
	_ gofs.NodeOnForgetter = (*source)(nil)
	_ describe.Describer   = (*source)(nil)
)

// reading is the handle of a source.pdf that was opened for reading.
type reading struct{ f *os.File }

// writing is the handle of one that was opened for writing. The draft begins
// with the PDF that was sent from here, unless that is truncated first.
type writing struct {
	draft  *media.Draft
	paper  int64
	opener uint32 // the thread that opened it
	uses   *flush.File

	mu      sync.Mutex  // guards the next three, and orders what changes the draft
	filled  bool        // the draft has the content that partial writes keep
	cut     bool        // that content was truncated before the opening
	length  int64       // and how long it was then, in bytes
	written atomic.Bool // a program has written to it; truncation alone sends nothing
}

func (s *source) OnForget() { s.Numbers.Forget(s.StableAttr().Ino) }

func (s *source) Attr(out *fuse.Attr) time.Duration {
	sent, ok, err := s.Library.Source(s.id)
	since := s.since(s.id)()
	if ok && err == nil {
		since = sent.Written
	}
	s.Owner.Fill(out, attr.File, since)
	out.Size = uint64(sent.Size)
	return 0
}

func (s *source) Describe() describe.Description {
	d := s.about(s.id).What()
	d.Kind, d.Path = "file", virtual.Path(&s.Inode)
	if sent, ok, _ := s.Library.Source(s.id); ok {
		d.SHA256 = sent.SHA256
	}
	return d
}

func (s *source) Getattr(_ context.Context, f gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	virtual.FillAttr(s, out)
	if w, ok := f.(*writing); ok {
		out.Size = uint64(w.draft.Size())
	}
	return 0
}

// Setattr truncates what is being written.
func (s *source) Setattr(ctx context.Context, f gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if size, sets := in.GetSize(); sets {
		w, _ := f.(*writing)
		w, err := s.truncate(ctx, w, int64(size))
		if err != nil {
			return s.fail("write", err)
		}
		if w != nil {
			w.uses.Truncated(threadOf(ctx))
			f = w
		}
	}
	return s.Getattr(context.Background(), f, out)
}

func (s *source) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE == syscall.O_RDONLY {
		f, err := s.sent()
		if err != nil {
			return nil, 0, s.fail("read", err)
		}
		return &reading{f}, 0, 0
	}
	// Past the page cache: what is written is not what is read before it is sent.
	w := &writing{draft: s.Media.NewDraft(s.id, virtual.Path(&s.Inode)), paper: s.id, opener: threadOf(ctx), filled: flags&syscall.O_TRUNC != 0,
		uses: s.Judge.Open(threadOf(ctx), s.StableAttr().Ino, false)}
	s.drafts.add(w)
	return w, fuse.FOPEN_DIRECT_IO, 0
}

// sent opens the PDF that was sent from here.
func (s *source) sent() (*os.File, error) {
	sent, ok, err := s.Library.Source(s.id)
	if err != nil {
		return nil, err
	}
	var f *os.File
	if ok {
		f, err = s.Media.OpenContent(sent.SHA256)
	}
	if !ok || errors.Is(err, os.ErrNotExist) {
		return nil, errno.Refuse(syscall.EOPNOTSUPP, "the service does not give PDFs back, and this one is not held here")
	}
	return f, err
}

func (s *source) Read(_ context.Context, f gofs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	var from io.ReaderAt
	switch h := f.(type) {
	case *reading:
		from = h.f
	case *writing:
		h.mu.Lock()
		err := h.fill(s)
		h.mu.Unlock()
		if err != nil {
			return nil, s.fail("read", err)
		}
		from = h.draft
	}
	n, err := from.ReadAt(dest, off)
	if err != nil && err != io.EOF {
		return nil, s.fail("read", err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

func (s *source) Write(ctx context.Context, f gofs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	w, ok := f.(*writing)
	if !ok {
		return 0, syscall.EBADF
	}
	how := request.WriteAt(off)
	w.uses.Wrote(threadOf(ctx))
	w.mu.Lock()
	defer w.mu.Unlock()
	s.drafts.wrote(w)
	err := w.fill(s)
	if how.Append {
		how.Offset = w.draft.Size()
	}
	n := 0
	if err == nil {
		n, err = w.draft.WriteAt(data, how.Offset)
	}
	return uint32(n), s.fail("write", err)
}

// Flush sends what was written, where this close is the one that does, with its
// outcome. What a killed program has left is half a PDF and is not sent.
func (s *source) Flush(ctx context.Context, f gofs.FileHandle) syscall.Errno {
	w, ok := f.(*writing)
	if !ok {
		return 0
	}
	if !w.written.Load() || w.draft.Clean() {
		w.uses.FlushedClean(threadOf(ctx))
		return 0
	}
	switch verdict, spoiled := w.uses.Flushed(threadOf(ctx)); verdict {
	case flush.Leave:
		return 0
	case flush.Spoil:
		w.draft.Spoil(spoiled)
		return s.fail("process", spoiled)
	}
	err := virtual.Change(ctx, func(ctx context.Context) error { return s.send(ctx, w) }, func(err error) { s.tell("process", err) })
	return s.tell("process", err)
}

func (s *source) send(ctx context.Context, w *writing) error {
	return w.draft.Send(func(pdf remote.Content) (string, error) {
		sent, err := s.Library.Process(ctx, s.id, pdf)
		return sent.SHA256, err
	})
}

// Fsync makes what was written durable on this machine; only a close sends.
func (s *source) Fsync(_ context.Context, f gofs.FileHandle, _ uint32) syscall.Errno {
	w, ok := f.(*writing)
	if !ok {
		return 0
	}
	return s.fail("fsync", w.draft.Fsync())
}

// Release sends what no close could: after an exec none may have come. Its
// outcome is in errors, since no call reports it. It waits for nothing: the
// kernel holds up readers while many releases are not answered.
func (s *source) Release(ctx context.Context, f gofs.FileHandle) syscall.Errno {
	switch h := f.(type) {
	case *reading:
		h.f.Close()
	case *writing:
		_ = h.uses.Released() // no mapping can have changed it since: it is past the page cache
		s.drafts.remove(h)
		if !h.written.Load() {
			h.draft.Close()
			return 0
		}
		ctx, path := context.WithoutCancel(ctx), virtual.Path(&s.Inode) // the kernel may forget the node before that
		h.draft.Release(func() { s.Tell.Tell("process", path, s.id, s.send(ctx, h)) })
	}
	return 0
}

func (s *source) tell(op string, err error) syscall.Errno {
	return s.Tell.Tell(op, virtual.Path(&s.Inode), s.id, err)
}

// fail is tell for a step on the way to a PDF that is sent.
func (s *source) fail(op string, err error) syscall.Errno {
	return s.Tell.Failed(op, virtual.Path(&s.Inode), s.id, err)
}

// resize truncates; length 0 needs nothing of what was there.
func (w *writing) resize(s *source, size int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if size == 0 {
		w.filled = true
	}
	if err := w.fill(s); err != nil {
		return err
	}
	return w.draft.Truncate(size)
}

// fill puts into the draft the content that a partial write keeps. w.mu is held.
func (w *writing) fill(s *source) error {
	if w.cut && w.length == 0 {
		w.filled = true
	}
	if w.filled {
		return nil
	}
	if _, ok, err := s.Library.Source(s.id); err != nil || !ok {
		w.filled = err == nil
		return err
	}
	f, err := s.sent()
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = io.Copy(io.NewOffsetWriter(w.draft, 0), f); err != nil {
		return err
	}
	w.filled = true
	if w.cut {
		return w.draft.Truncate(w.length)
	}
	return nil
}

// job is the file of a paper's last processing job: its GUID and status, and
// in a second line the reason of a failure; empty where none is known.
func (t *Tree) job(id int64) virtual.Node {
	v := t.value(id, func(ctx context.Context) (string, error) {
		job, ok, err := t.Library.PaperJob(ctx, id)
		if !ok {
			return "", err
		}
		return jobLines(job), nil
	}, nil)
	what := v.What
	v.What = func() describe.Description {
		d := what()
		if percent, ok, err := t.Library.Progress(context.Background(), id); ok && err == nil {
			d.Progress = &percent
		}
		return d
	}
	return v
}

func jobLines(job library.Job) string {
	line := job.GUID + " " + string(job.Status)
	if job.Reason != "" {
		line += "\n" + job.Reason
	}
	return line
}
