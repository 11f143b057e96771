package pending

import (
	"os"
	"slices"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/document"
)

// File is one inode of a PDF's name. Its bytes change only by writes of programs through it. Whatever
// else changes what the name holds gives the name another File, and this one keeps the PDF that it
// showed: a PDF that was sent under the paper's other name or moved here, one that was refused or that
// a killed program left, and one that takes the place of a damaged PDF.
type File struct {
	*gofs.Inode
	set *Set

	// set.mu guards the rest.
	sent  document.Source // what it shows unless something is being written through it; zero: nothing
	apart bool            // its bytes may be those of a PDF that no name shows
}

// NewFile returns a File that shows the PDF that was last sent for a paper; 0 if there is none yet.
func (s *Set) NewFile(inode *gofs.Inode, paper int64) *File {
	sent, _, _ := s.Documents.Source(paper) // on failure it shows nothing, and another takes its place
	return &File{Inode: inode, set: s, sent: sent}
}

// Current reports whether the name, of a paper's PDF, still shows f, and returns what was last sent for
// the paper.
func (f *File) Current(paper int64) (is bool, sent document.Source, err error) {
	p, shown, whole := f.Content()
	sent, _, err = f.set.Documents.Source(paper) // after Content, or what was sent in between seems to be of others
	return whole && (p != nil || err != nil || shown.SHA256 == sent.SHA256), sent, err
}

// Content returns what f shows: the PDF that is being written through it, if any, or else the one that
// was sent. whole is false if the bytes of f may be those of a PDF that no name shows, so that nothing
// may open it any more.
func (f *File) Content() (writing *PDF, sent document.Source, whole bool) {
	f.set.mu.Lock()
	defer f.set.mu.Unlock()
	for _, p := range slices.Backward(f.set.pdfs) {
		if slices.Contains(p.files, f) && !p.draft.Clean() {
			p.partLocked()
			return p, f.sent, !f.apart
		}
	}
	return nil, f.sent, !f.apart
}

// open opens the PDF that was sent and that f shows.
func (f *File) open() (opened *os.File, sha256 string, err error) {
	_, sent, whole := f.Content()
	if !whole {
		return nil, "", syscall.ESTALE
	}
	opened, err = f.set.Media.OpenContent(sent.SHA256)
	return opened, sent.SHA256, err
}

// sentThrough records that p was sent, before it counts as sent. A file shows it if no other was
// written: the kernel's pages of a file lack what was written through another.
func (p *PDF) sentThrough() {
	sent, _, err := p.set.Documents.Source(p.Paper())
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	for _, f := range p.files {
		f.sent, f.apart = sent, f.apart || err != nil || len(p.files) > 1
	}
}

// partLocked parts the files of p from their name if p is not sent as it is. The caller holds set.mu.
func (p *PDF) partLocked() {
	if p.removed.Load() || p.draft.Failure() != nil {
		for _, f := range p.files {
			f.apart = true
		}
	}
}
