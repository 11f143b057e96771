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

	"paperfs/cache/media"
	"paperfs/fs/attr"
	"paperfs/fs/describe"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/request"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// source is source.pdf, or the PDF beside a paper (see beside.go). What is written
// to it is sent to be processed when it is closed, whole; reading returns what was
// sent from here.
type source struct {
	gofs.Inode
	*Tree
	id     int64       // the paper of source.pdf
	other  string      // the name of source.pdf that it was put there under, "" for its own
	in     *gofs.Inode // the paper's directory where other is set: at its creation a node has no path yet
	beside beside      // else the place of a PDF beside a paper
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
	paper  atomic.Int64 // 0: it is not made yet
	at     entry        // of a PDF beside a paper
	isNew  bool         // with O_EXCL: it must not replace what others have put there
	opener uint32       // the thread that opened it
	uses   *flush.File
	mtime  atomic.Int64 // that a program has set for what it wrote, 0: none
	gone   atomic.Bool  // its name was removed, and there is no paper: nothing is sent

	mu      sync.Mutex  // guards the next three, and orders what changes the draft
	filled  bool        // the draft has the content that partial writes keep
	cut     bool        // that content was truncated before the opening
	length  int64       // and how long it was then, in bytes
	written atomic.Bool // a program has written to it; truncation alone sends nothing
}

func (s *source) OnForget() { s.Numbers.Forget(s.StableAttr().Ino) }

func (s *source) Attr(out *fuse.Attr) time.Duration {
	paper := s.paper()
	sent, ok, err := s.Library.Source(paper)
	since := s.since(paper)()
	if ok && err == nil {
		since = sent.Written
	}
	s.Owner.Fill(out, attr.File, since)
	out.Size = uint64(sent.Size)
	if w := s.drafts.of(s.beside.entry()); paper == 0 && w != nil {
		w.attr(out)
	}
	return 0
}

// attr shows what is being written.
func (w *writing) attr(out *fuse.Attr) {
	out.Size = uint64(w.draft.Size())
	if set := w.mtime.Load(); set != 0 {
		mtime := time.Unix(0, set)
		out.SetTimes(nil, &mtime, nil)
	}
}

// paper is the id of the paper, 0 where there is none yet.
func (s *source) paper() int64 {
	if s.beside.category == nil {
		return s.id
	}
	return s.beside.paper()
}

func (s *source) Describe() describe.Description {
	paper := s.paper()
	if paper == 0 {
		return describe.Description{Kind: "file", State: describe.Local, Path: virtual.Path(&s.Inode)}
	}
	d := s.about(paper).What()
	d.Kind, d.Path = "file", virtual.Path(&s.Inode)
	if sent, ok, _ := s.Library.Source(paper); ok {
		d.SHA256 = sent.SHA256
	}
	return d
}

func (s *source) Getattr(_ context.Context, f gofs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	virtual.FillAttr(s, out)
	if w, ok := f.(*writing); ok {
		w.attr(&out.Attr)
	}
	return 0
}

// Setattr truncates what is being written, and keeps the time at which it was.
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
	if s.drafts.setTime(paper, s.beside.entry(), at) || paper == 0 {
		return nil
	}
	return s.Library.SetWritten(paper, at)
}

func (s *source) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE == syscall.O_RDONLY {
		f, err := s.sent(s.paper())
		if err != nil {
			return nil, 0, s.fail("read", err)
		}
		return &reading{f}, 0, 0
	}
	if s.other != "" {
		if err := s.others.begin(s.id, s.other); err != nil {
			return nil, 0, s.fail("write", err)
		}
	}
	// Past the page cache: what is written is not what is read before it is sent.
	return s.write(ctx, flags), fuse.FOPEN_DIRECT_IO, 0
}

// sourcePath is the path of source.pdf, as drafts and failed/ have it.
func (s *source) sourcePath() string {
	if s.other != "" {
		return "/" + virtual.Path(s.in, sourceName)
	}
	return "/" + virtual.Path(&s.Inode)
}

// write makes a handle for writing.
func (s *source) write(ctx context.Context, flags uint32) *writing {
	paper, path := s.paper(), s.sourcePath()
	if s.beside.category != nil {
		path = s.beside.path()
	}
	w := &writing{draft: s.Media.NewDraft(paper, path), at: s.beside.entry(), opener: threadOf(ctx), filled: flags&syscall.O_TRUNC != 0,
		uses: s.Judge.Open(threadOf(ctx), s.StableAttr().Ino, false)}
	w.paper.Store(paper)
	s.drafts.add(w)
	return w
}

// open opens the content that was sent, which is in the cache once the release that
// follows the close is done.
func (s *source) open(paper int64, sha256 string) (*os.File, error) {
	f, err := s.Media.OpenContent(sha256)
	for _, w := range s.drafts.all(paper) {
		if err != nil {
			f, err = w.draft.OpenSent(sha256)
		}
	}
	if err != nil {
		f, err = s.Media.OpenContent(sha256) // the release came between
	}
	return f, err
}

// sent opens the PDF that was sent from here for a paper.
func (s *source) sent(paper int64) (*os.File, error) {
	sent, ok, err := s.Library.Source(paper)
	if err != nil {
		return nil, err
	}
	var f *os.File
	if ok {
		f, err = s.open(paper, sent.SHA256)
	}
	if !ok || errors.Is(err, os.ErrNotExist) {
		return nil, errno.Refuse(syscall.EOPNOTSUPP, "the service does not return PDFs, and this one is not kept here")
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
	w.mtime.Store(0)
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
	if !w.written.Load() || w.gone.Load() || w.draft.Clean() {
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
	told := func(context.Context) {}
	defer func() { told(ctx) }()
	return w.draft.Send(func(pdf remote.Content) (string, error) {
		written := time.Time{}
		if set := w.mtime.Load(); set != 0 {
			written = time.Unix(0, set)
		}
		if s.beside.category != nil {
			return s.beside.process(ctx, w.paper.Load(), w.isNew, pdf, written, func(paper int64) error {
				if w.paper.Swap(paper) == 0 {
					made, _ := paperOf(s.beside.name)
					told = s.beside.category.tells(made)
				}
				return w.draft.For(paper, s.beside.path())
			})
		}
		sent, err := s.Library.Process(ctx, s.id, pdf, written)
		if err == nil && s.other != "" {
			s.shows(s.id)
		}
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
		if s.other != "" {
			s.others.end(s.id, s.other, h.written.Load() && !h.gone.Load() && h.draft.Failure() == nil)
		}
		defer s.drafts.remove(h) // what it has sent is found until it is in the cache
		if !h.written.Load() || h.gone.Load() {
			h.draft.Close()
			return 0
		}
		ctx, path := context.WithoutCancel(ctx), virtual.Path(&s.Inode) // the kernel may forget the node before that
		h.draft.Release(func() { s.Tell.Tell("process", path, s.paper(), s.send(ctx, h)) })
	}
	return 0
}

func (s *source) tell(op string, err error) syscall.Errno {
	return s.Tell.Tell(op, virtual.Path(&s.Inode), s.paper(), err)
}

// fail is tell for a step on the way to a PDF that is sent.
func (s *source) fail(op string, err error) syscall.Errno {
	return s.Tell.Failed(op, virtual.Path(&s.Inode), s.paper(), err)
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
	paper := w.paper.Load()
	if _, ok, err := s.Library.Source(paper); err != nil || !ok {
		w.filled = err == nil
		return err
	}
	f, err := s.sent(paper)
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
