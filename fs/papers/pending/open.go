package pending

import (
	"os"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/papers/names"
)

// Opening is how a program opens a PDF for writing.
type Opening struct {
	By     *gofs.Inode
	Thread uint32 // that opens it
	New    bool   // it is nobody else's: handles of a file of that name, which was removed, go on with that
	Empty  bool   // nothing is kept of what was sent
	// Place is where the PDF is sent to. It is asked again where the PDF cannot be shared: the
	// paper may have been made since.
	Place func() *Place
}

// Write opens a PDF for writing. Handles share what is being written.
func (s *Set) Write(o Opening) *Handle {
	to := o.Place()
	h := &Handle{by: o.By, opener: o.Thread, uses: s.Judge.Open(o.Thread, o.By.StableAttr().Ino, false), claimed: to.Other}
	if !o.New {
		if s.join(to.Paper, to.At, h) {
			return h
		}
		to = o.Place()
	}
	h.PDF = &PDF{set: s, draft: s.Media.NewDraft(to.Paper, to.Path), dest: to}
	h.unfilled.Store(!o.New && !o.Empty)
	h.paper.Store(to.Paper)
	s.begin(h.PDF, h)
	return h
}

// Read opens what is being written, or else what was sent. One of the handles is nil.
func (s *Set) Read(by *gofs.Inode, paper int64, at names.Entry, fail func(op string, err error) syscall.Errno) (*Handle, *Sent, error) {
	p, f, sha256, err := latest(func(any bool) *PDF {
		return s.find(paper, at, func(p *PDF) bool { return any || p.shown() })
	}, func() (*os.File, string, error) { return s.openSent(paper) })
	switch {
	case p != nil:
		h := &Handle{PDF: p, by: by}
		s.addHandle(h)
		return h, nil, nil
	case err != nil:
		return nil, nil, err
	}
	sent := &Sent{set: s, by: by, paper: paper, fail: fail, f: f, sha256: sha256}
	s.addReader(sent)
	return nil, sent, nil
}

// OpenTemp opens p, which has or had a temporary name, by that inode. It returns nil where p was sent:
// then it has another inode.
func (p *PDF) OpenTemp(by *gofs.Inode, thread uint32, writes bool) *Handle {
	h := &Handle{PDF: p, by: by, byTemp: true, opener: thread}
	if writes {
		h.uses = p.set.Judge.Open(thread, by.StableAttr().Ino, false)
	}
	if !p.set.addHandle(h) {
		_ = h.uses.Released()
		return nil
	}
	return h
}

// latest is what a name shows: what is being written, by writing, or else what was sent. With any,
// writing also finds what is not shown. What was being written at the first look may have been
// sent, and be gone, at the second: so each look is repeated before it is said that there is nothing.
func latest(writing func(any bool) *PDF, sent func() (*os.File, string, error)) (p *PDF, f *os.File, sha256 string, err error) {
	for range 2 {
		if p = writing(false); p != nil {
			return p, nil, "", nil
		}
		if f, sha256, err = sent(); err == nil {
			return nil, f, sha256, nil
		}
		if p = writing(true); p != nil {
			return p, nil, "", nil
		}
	}
	return nil, nil, "", err
}
