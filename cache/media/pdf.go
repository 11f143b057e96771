package media

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// The PDFs of papers/ are files of this store. Each category and paper that programs use has a directory in the hidden
// directory papers, its twin, by its id. That of a paper has its PDF as Source; that of a category has the PDFs of papers
// that are still to be created, which move to the paper's twin once it is there, with their inode. Both have the files with temporary
// names that programs make on the way to a PDF: scratch, as in media/, but the next mount puts it into failed/.

// Source is the name of a paper's PDF in its twin.
const Source = "source.pdf"

// Twin returns the twin of a category or paper.
func (s *Store) Twin(id int64) Ino {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.twinLocked(id).Ino
}

// FindTwin is Twin of one that is there already, else 0.
func (s *Store) FindTwin(id int64) Ino {
	s.mu.RLock()
	there := s.papers.Children[strconv.FormatInt(id, 10)] != nil
	s.mu.RUnlock()
	if !there {
		return 0
	}
	return s.Twin(id)
}

// twinLocked is Twin; s.mu must be held. It follows what others rename or move.
func (s *Store) twinLocked(id int64) *tree.Node {
	name := strconv.FormatInt(id, 10)
	d := s.papers.Children[name]
	if d == nil {
		d = s.newNodeLocked(Directory, 0o755, Owner, Owner)
		d.ID = -id // no directory of media/ has it
		s.papers.Attach(name, d)
	}
	now, _, _ := s.o.PDFPath(0, id, "/"+Source)
	d.Place = path.Dir(now)
	return d
}

// sentVersion returns the version of a paper's PDF that was sent last from here; its ID is 0 if none was.
func (s *Store) sentVersion(paper int64) (tree.Version, error) {
	if paper == 0 || s.o.SentPDF == nil {
		return tree.Version{}, nil
	}
	sum, size, written, err := s.o.SentPDF(paper)
	return tree.SentPDF(sum, size, written), err
}

// PDF returns the PDF of a paper: what programs here write and what is queued, or else what was sent last. Without any, it has
// a time.
func (s *Store) PDF(paper int64, since time.Time) (Attr, error) {
	s.mu.RLock()
	asked := s.serial
	s.mu.RUnlock()
	sent, err := s.sentVersion(paper)
	if err != nil {
		return Attr{}, err
	}
	if sent.ID == 0 {
		sent.ModTime = inode.InstantOf(since)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	twin := s.twinLocked(paper)
	n := twin.Children[Source]
	switch {
	case n == nil:
		n = s.newPDFLocked(twin, Source, PDF{Paper: paper, Path: path.Join(twin.Place, Source)}, sent)
	case n.Changed > asked, n.Holds(), n.Pub.SHA256 == sent.SHA256:
	default: // others, or the end of a job, have replaced it
		n, _ = s.supersedeLocked(n, sent)
	}
	return n.Attr(), nil
}

// newPDFLocked creates a PDF in a twin, begun on a version; s.mu must be held.
func (s *Store) newPDFLocked(twin *tree.Node, name string, pdf PDF, pub tree.Version) *tree.Node {
	n := s.newNodeLocked(File, 0o644, Owner, Owner)
	n.Own().PDF = &pdf
	n.Pub = pub
	if pub.ModTime != 0 {
		n.Atime, n.Mtime, n.Ctime = pub.ModTime, pub.ModTime, pub.ModTime
	}
	twin.Attach(name, n)
	return n
}

// CreatePDF creates a PDF in a twin and opens it for writing. It sends nothing. It fails with Exists if programs write the PDF there, or
// it is queued; one that was sent stays with those that have it open.
func (s *Store) CreatePDF(twin Ino, name string, pdf PDF) (Attr, *Handle, error) {
	if err := s.o.State.Whole(); err != nil {
		return Attr{}, nil, err
	}
	sent, err := s.sentVersion(pdf.Paper)
	if err != nil {
		return Attr{}, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.directoryLocked(twin)
	if err != nil {
		return Attr{}, nil, err
	}
	if is := d.Children[name]; is != nil && is.Holds() {
		return Attr{}, nil, refusal.NameTaken(name)
	} else if is != nil {
		if err := s.otherNameLocked(is, pdf.Other); err != nil {
			return Attr{}, nil, err
		}
		s.partLocked(is, nil, superseded(is.Path()))
	}
	sent.ModTime = s.now()
	n := s.newPDFLocked(d, name, pdf, sent)
	h := s.createdLocked(n)
	return n.Attr(), h, nil
}

// justPut is how long a second name is refused after a PDF was put into a paper under a first one: `cp *.pdf X.paper/` would replace
// one PDF with the other.
const justPut = 10 * time.Minute

// BeginPDF is called before a program writes a PDF. It notes under which name, and which edition the paper has, unless somebody writes
// it already.
func (s *Store) BeginPDF(ino Ino, to PDF) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[ino]
	if n == nil || !n.IsPDF() {
		return nil
	}
	if err := s.otherNameLocked(n, to.Other); err != nil {
		return err
	}
	p := n.PDF
	if p.Path, p.Other = to.Path, cmp.Or(to.Other, p.Other); p.Paper != 0 {
		p.Dir = to.Dir
	}
	if !n.Dirty() {
		p.Over, p.Since = to.Over, to.Since
	}
	return nil
}

// otherNameLocked returns why a PDF cannot be put into a paper under a name, when it has n, which may be nil; s.mu must be held.
func (s *Store) otherNameLocked(n *tree.Node, name string) error {
	if n == nil || n.PDF.Other == "" || name == "" || n.PDF.Other == name || n.Writers == 0 && !n.Dirty() && s.o.Now().Sub(n.Ctime.Time()) >= justPut {
		return nil
	}
	return &Error{Kind: Exists, Name: name, Detail: fmt.Sprintf("%q was just put into this paper, and a paper has one PDF: write to source.pdf to replace it", n.PDF.Other)}
}

// PutAs returns the name other than Source under which a program has put a PDF into a paper, or "".
func (s *Store) PutAs(paper int64) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n := s.pdfLocked(paper); n != nil {
		return n.PDF.Other
	}
	return ""
}

// pdfLocked returns the PDF of a paper if it has an inode, or nil; s.mu must be held.
func (s *Store) pdfLocked(paper int64) *tree.Node {
	if twin := s.papers.Children[strconv.FormatInt(paper, 10)]; twin != nil {
		return twin.Children[Source]
	}
	return nil
}

// PaperMade gives the PDF that was written for a new paper in a category to that paper.
func (s *Store) PaperMade(dir int64, name string, paper int64) error {
	s.mu.Lock()
	upto := uint64(0)
	if twin := s.papers.Children[strconv.FormatInt(dir, 10)]; twin != nil && twin.HasFile(name) {
		upto = s.giveLocked(twin.Children[name], paper)
	}
	s.mu.Unlock()
	return s.journal.WaitWritten(upto)
}

// giveLocked makes n the PDF of a paper that was created for it; s.mu must be held. It returns the number of the change.
func (s *Store) giveLocked(n *tree.Node, paper int64) uint64 {
	n.PDF.Paper, n.PDF.Making = paper, false
	if n.Parent != nil {
		twin := s.twinLocked(paper)
		if other := twin.Children[Source]; other != nil && other != n {
			s.partLocked(other, nil, superseded(other.Path()))
		}
		n.Detach()
		twin.Attach(Source, n)
	}
	return s.saveLocked(n)
}

// RemovePDF removes the name of a PDF in a twin: what is written or queued there is not sent, unless a request with all of it
// is under way. Neither a kill nor a full disk brings it back.
func (s *Store) RemovePDF(twin Ino, name string) error {
	if err := s.enterFor(journal.RoomToRemove); err != nil {
		return err
	}
	defer s.work.Done()
	s.mu.Lock()
	n, err := s.childLocked(twin, name)
	if err != nil {
		s.mu.Unlock()
		return nil
	}
	serial := uint64(0)
	if n.Delivery != nil {
		serial = n.Delivery.Spool
		s.stopLocked(n.Delivery)
	}
	s.removeLocked(n, tree.Link{Dir: n.Parent, Name: name})
	upto := s.dirtied
	s.mu.Unlock()
	s.leftQueue(n, serial, upto)
	s.orphan(n)
	return nil
}

// leftQueue returns once the next run knows, from change upto, that the content of a spool is not to be sent: it would replace
// what others send until then.
func (s *Store) leftQueue(n *tree.Node, serial, upto uint64) {
	err := s.journal.WaitWritten(upto)
	if err == nil || serial == 0 {
		return
	}
	if gone := s.spools.MarkGone(serial); gone != nil {
		s.o.Log.Warn("cannot record that a PDF left the queue; the next mount sends it", "path", n.LastPath(), "error", errors.Join(err, gone))
	}
}

// PlaceRemoved removes the twin of a category or paper that was deleted here, with what is written or queued there.
func (s *Store) PlaceRemoved(id int64) {
	s.mu.RLock()
	twin, names := s.papers.Children[strconv.FormatInt(id, 10)], []string(nil)
	if twin != nil {
		for name := range twin.Children {
			names = append(names, name)
		}
	}
	s.mu.RUnlock()
	for _, name := range names {
		_ = s.RemovePDF(twin.Ino, name)
	}
}

// dropIdleLocked drops the inode of a PDF of which nothing is here but what was sent, when the kernel has forgotten it; s.mu must be
// held. A program that looks it up later gets another.
func (s *Store) dropIdleLocked(n *tree.Node) {
	twin := n.Parent
	if twin == nil || !n.IsPDF() || n.Holds() || n.Handles > 0 || n.Draft != 0 || n.Delivery != nil || n.PDF.Emptied || n.PDF.Other != "" && s.otherNameLocked(n, Source) != nil {
		return
	}
	n.Detach()
	delete(s.nodes, n.Ino)
	if len(twin.Children) == 0 && !twin.Unsure {
		twin.Detach()
		delete(s.nodes, twin.Ino)
	}
}

// pdfsLocked returns the files below papers/ in the order in which they were begun; s.mu must be held.
func (s *Store) pdfsLocked() (list []*tree.Node) {
	var add func(dir *tree.Node)
	add = func(dir *tree.Node) {
		for _, n := range dir.Children {
			if n.Kind == Directory {
				add(n)
			} else if n.PDF != nil {
				list = append(list, n)
			}
		}
	}
	add(s.papers)
	slices.SortFunc(list, func(a, b *tree.Node) int { return cmp.Compare(a.Ino, b.Ino) })
	return list
}

// WritingPDFs returns the paths, from the mount's root, of PDFs with content that no close has
// sent or queued yet.
func (s *Store) WritingPDFs() (paths []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, n := range s.pdfsLocked() {
		if n.IsPDF() && n.Size > 0 && (n.State() == tree.Dirty || n.State() == tree.Rewritten) {
			paths = append(paths, tree.MountPath(s.shownLocked(n)))
		}
	}
	slices.Sort(paths)
	return paths
}

// shownLocked returns the path of n as programs see it now: that of a PDF follows its paper; s.mu must be held.
func (s *Store) shownLocked(n *tree.Node) string {
	if !n.IsPDF() {
		return n.LastPath()
	}
	path, _, _ := s.o.PDFPath(n.PDF.Paper, n.PDF.Dir, n.LastPath())
	return path
}

// OpenPDF opens the content of a PDF that was sent, by its SHA-256.
func (s *Store) OpenPDF(sha256 string) (*os.File, error) {
	if sha256 == "" {
		return nil, errNotKept
	}
	paper := s.contents.PaperOf(sha256)
	f, err := s.contents.Open(sha256)
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.openSent(paper, sha256)
	}
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.contents.Open(sha256) // it has just moved there
	}
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.ownPDF(sha256)
	}
	if errors.Is(err, os.ErrNotExist) {
		err = errNotKept
	}
	return f, err
}

// openSent opens the spool of a paper's PDF if that was sent. It returns os.ErrNotExist if it was not.
func (s *Store) openSent(paper int64, sha256 string) (*os.File, error) {
	s.mu.RLock()
	n, path := s.pdfLocked(paper), ""
	if n != nil && n.Draft != 0 && n.State() == tree.Clean && n.Pub.SHA256.String() == sha256 {
		path = s.spools.PathOf(n.Draft)
	}
	s.mu.RUnlock()
	return os.Open(path)
}

// ownPDF opens a PDF in the service of this process, if a paper has its pages from it.
func (s *Store) ownPDF(sha256 string) (*os.File, error) {
	if s.o.OwnPDF == nil {
		return nil, os.ErrNotExist
	}
	f, sum, err := s.o.OwnPDF(s.contents.PaperOf(sha256))
	if err == nil && sum == sha256 {
		return f, nil
	}
	_ = f.Close() // nil after an error
	return nil, os.ErrNotExist
}

// errNotKept is why a PDF that was sent cannot be read.
var errNotKept = &Error{Kind: NoContent, Detail: "the service does not return PDFs, and this machine has not kept this one"}

// errCut is why the length of a PDF cannot be changed alone: the part would become the paper's pages.
var errCut = &Error{Kind: Unsupported, Detail: "a PDF cannot be shortened or extended in place: write the whole PDF again"}

// alone reports whether n is a PDF that only one handle can write.
func (s *Store) alone(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.IsPDF() && n.Writers == 1
}

// errEmptyPDF is the verdict on a PDF that has nothing in it: nothing of it is kept.
var errEmptyPDF = errors.New("it is empty")
