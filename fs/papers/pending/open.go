package pending

import (
	"os"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/papers/names"
)

// Opening describes how a program opens a PDF for writing.
type Opening struct {
	By     *File
	Thread uint32 // the calling thread
	New    bool   // not shared: handles of a removed file of the same name keep the old content
	// Place returns where the PDF is sent. It is called again if the PDF cannot be shared,
	// because the paper may have been created since.
	Place func() *Place
}

// Write opens a PDF for writing. Handles share the content.
func (s *Set) Write(o Opening) *Handle {
	to := o.Place()
	h := &Handle{by: o.By.Inode, through: o.By, opener: o.Thread, uses: s.Judge.Open(o.Thread, o.By.StableAttr().Ino, false), claimed: to.Other}
	if !o.New {
		if s.join(to.Paper, to.At, h) {
			return h
		}
		to = o.Place()
	}
	s.begin(to, o, h)
	return h
}

// Read opens the content being written, or else the PDF that the file shows. One of the handles
// is nil.
func (s *Set) Read(by *File, paper int64, at names.Entry, fail func(op string, err error) syscall.Errno) (*Handle, *Reader, error) {
	h, f, sha256, err := latest(func(any bool) *Handle {
		h := &Handle{by: by.Inode}
		if p := s.find(paper, at, func(p *PDF) bool { return any || p.shown() }); p == nil || !h.open(p) {
			return nil
		}
		return h
	}, func() (*os.File, string, error) {
		if _, _, err := s.Documents.Source(paper); err != nil {
			return nil, "", err // what the file shows may be unknown for that reason
		}
		return by.open()
	})
	if h != nil || err != nil {
		return h, nil, err
	}
	return nil, &Reader{file: by, fail: fail, f: f, sha256: sha256}, nil
}

// OpenTemp opens p, which has or had a temporary name, through that name's inode. It
// returns nil if p was sent, because p then has another inode.
func (p *PDF) OpenTemp(by *gofs.Inode, thread uint32, writes bool) *Handle {
	h := &Handle{by: by, byTemp: true, opener: thread}
	if writes {
		h.uses = p.set.Judge.Open(thread, by.StableAttr().Ino, false)
	}
	if !h.open(p) {
		_ = h.uses.Released()
		return nil
	}
	return h
}

// latest returns the content that a name shows: the PDF that writing opens, or else the
// one that was sent. With any, writing also opens a PDF that is not shown. A PDF found by
// neither may have moved from the first to the second in between, so both are tried twice.
func latest(writing func(any bool) *Handle, sent func() (*os.File, string, error)) (h *Handle, f *os.File, sha256 string, err error) {
	for range 2 {
		if h = writing(false); h != nil {
			return h, nil, "", nil
		}
		if f, sha256, err = sent(); err == nil {
			return nil, f, sha256, nil
		}
		if h = writing(true); h != nil {
			return h, nil, "", nil
		}
	}
	return nil, nil, "", err
}
