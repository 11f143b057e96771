package names

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"paperfs/cache/content/inode"
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
func (s *Tree) Twin(id int64) inode.Ino {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.TwinLocked(id).Ino
}

// FindTwin is Twin of one that is there already, else 0.
func (s *Tree) FindTwin(id int64) inode.Ino {
	s.Mu.RLock()
	there := s.Papers.Children[strconv.FormatInt(id, 10)] != nil
	s.Mu.RUnlock()
	if !there {
		return 0
	}
	return s.Twin(id)
}

// TwinLocked is Twin; Mu must be held. It follows what others rename or move.
func (s *Tree) TwinLocked(id int64) *tree.Node {
	name := strconv.FormatInt(id, 10)
	d := s.Papers.Children[name]
	if d == nil {
		d = s.NewNodeLocked(inode.Directory, 0o755, inode.Owner, inode.Owner)
		d.ID = -id // no directory of media/ has it
		s.Papers.Attach(name, d)
	}
	now, _, _ := s.o.PDFPath(0, id, "/"+Source)
	d.Place = path.Dir(now)
	return d
}

// SentVersion returns the version of a paper's PDF that was sent last from here; its ID is 0 if none was.
func (s *Tree) SentVersion(paper int64) (tree.Version, error) {
	if paper == 0 || s.o.SentPDF == nil {
		return tree.Version{}, nil
	}
	sum, size, written, err := s.o.SentPDF(paper)
	return tree.SentPDF(sum, size, written), err
}

// PDF returns the PDF of a paper: what programs here write and what is queued, or else what was sent last. Without any, it has
// a time.
func (s *Tree) PDF(paper int64, since time.Time) (inode.Attr, error) {
	s.Mu.RLock()
	asked := s.Serial
	s.Mu.RUnlock()
	sent, err := s.SentVersion(paper)
	if err != nil {
		return inode.Attr{}, err
	}
	if sent.ID == 0 {
		sent.ModTime = inode.InstantOf(since)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	twin := s.TwinLocked(paper)
	n := twin.Children[Source]
	switch {
	case n == nil:
		n = s.NewPDFLocked(twin, Source, tree.PDF{Paper: paper, Path: path.Join(twin.Place, Source)}, sent)
	case n.Changed > asked, n.Holds(), n.Pub.SHA256 == sent.SHA256:
	default: // others, or the end of a job, have replaced it
		n, _ = s.SupersedeLocked(n, sent)
	}
	return n.Attr(), nil
}

// NewPDFLocked creates a PDF in a twin, begun on a version; Mu must be held.
func (s *Tree) NewPDFLocked(twin *tree.Node, name string, pdf tree.PDF, pub tree.Version) *tree.Node {
	n := s.NewNodeLocked(inode.File, 0o644, inode.Owner, inode.Owner)
	n.Own().PDF = &pdf
	n.Pub = pub
	if pub.ModTime != 0 {
		n.Atime, n.Mtime, n.Ctime = pub.ModTime, pub.ModTime, pub.ModTime
	}
	twin.Attach(name, n)
	return n
}

// justPut is how long a second name is refused after a PDF was put into a paper under a first one: `cp *.pdf X.paper/` would replace
// one PDF with the other.
const justPut = 10 * time.Minute

// BeginPDF is called before a program writes a PDF. It notes under which name, and which edition the paper has, unless somebody writes
// it already.
func (s *Tree) BeginPDF(ino inode.Ino, to tree.PDF) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	n := s.Nodes[ino]
	if n == nil || !n.IsPDF() {
		return nil
	}
	if err := s.OtherNameLocked(n, to.Other); err != nil {
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

// OtherNameLocked returns why a PDF cannot be put into a paper under a name, when it has n, which may be nil; Mu must be held.
func (s *Tree) OtherNameLocked(n *tree.Node, name string) error {
	if n == nil || n.PDF.Other == "" || name == "" || n.PDF.Other == name || n.Writers == 0 && !n.Dirty() && s.o.Now().Sub(n.Ctime.Time()) >= justPut {
		return nil
	}
	return &refusal.Error{Kind: refusal.Exists, Name: name, Detail: fmt.Sprintf("%q was just put into this paper, and a paper has one PDF: write to source.pdf to replace it", n.PDF.Other)}
}

// PutAs returns the name other than Source under which a program has put a PDF into a paper, or "".
func (s *Tree) PutAs(paper int64) string {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	if n := s.PDFLocked(paper); n != nil {
		return n.PDF.Other
	}
	return ""
}

// PDFLocked returns the PDF of a paper if it has an inode, or nil; Mu must be held.
func (s *Tree) PDFLocked(paper int64) *tree.Node {
	if twin := s.Papers.Children[strconv.FormatInt(paper, 10)]; twin != nil {
		return twin.Children[Source]
	}
	return nil
}

// PaperMade gives the PDF that was written for a new paper in a category to that paper.
func (s *Tree) PaperMade(dir int64, name string, paper int64) error {
	s.Mu.Lock()
	upto := uint64(0)
	if twin := s.Papers.Children[strconv.FormatInt(dir, 10)]; twin != nil && twin.HasFile(name) {
		upto = s.GiveLocked(twin.Children[name], paper)
	}
	s.Mu.Unlock()
	return s.Journal.WaitWritten(upto)
}

// GiveLocked makes n the PDF of a paper that was created for it; Mu must be held. It returns the number of the change.
func (s *Tree) GiveLocked(n *tree.Node, paper int64) uint64 {
	n.PDF.Paper, n.PDF.Making = paper, false
	if n.Parent != nil {
		twin := s.TwinLocked(paper)
		if other := twin.Children[Source]; other != nil && other != n {
			s.DetachLocked(other, nil, Superseded(other.Path()))
		}
		n.Detach()
		twin.Attach(Source, n)
	}
	return s.SaveLocked(n)
}

// DropIdleLocked drops the inode of a PDF of which nothing is here but what was sent, when the kernel has forgotten it; Mu must be
// held. A program that looks it up later gets another.
func (s *Tree) DropIdleLocked(n *tree.Node) {
	twin := n.Parent
	if twin == nil || !n.IsPDF() || n.Holds() || n.Handles > 0 || n.Draft != 0 || n.Delivery != nil || n.PDF.Emptied || n.PDF.Other != "" && s.OtherNameLocked(n, Source) != nil {
		return
	}
	n.Detach()
	delete(s.Nodes, n.Ino)
	if len(twin.Children) == 0 && !twin.Unsure {
		twin.Detach()
		delete(s.Nodes, twin.Ino)
	}
}

// PDFsLocked returns the files below papers/ in the order in which they were begun; Mu must be held.
func (s *Tree) PDFsLocked() (list []*tree.Node) {
	var add func(dir *tree.Node)
	add = func(dir *tree.Node) {
		for _, n := range dir.Children {
			if n.Kind == inode.Directory {
				add(n)
			} else if n.PDF != nil {
				list = append(list, n)
			}
		}
	}
	add(s.Papers)
	slices.SortFunc(list, func(a, b *tree.Node) int { return cmp.Compare(a.Ino, b.Ino) })
	return list
}

// WritingPDFs returns the paths, from the mount's root, of PDFs with content that no close has
// sent or queued yet.
func (s *Tree) WritingPDFs() (paths []string) {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	for _, n := range s.PDFsLocked() {
		if n.IsPDF() && n.Size > 0 && (n.State() == tree.Dirty || n.State() == tree.Rewritten) {
			paths = append(paths, tree.MountPath(s.ShownLocked(n)))
		}
	}
	slices.Sort(paths)
	return paths
}

// ShownLocked returns the path of n as programs see it now: that of a PDF follows its paper; Mu must be held.
func (s *Tree) ShownLocked(n *tree.Node) string {
	if !n.IsPDF() {
		return n.LastPath()
	}
	path, _, _ := s.o.PDFPath(n.PDF.Paper, n.PDF.Dir, n.LastPath())
	return path
}
