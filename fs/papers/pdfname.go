package papers

import (
	"context"
	"path"
	"strings"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/text/unicode/norm"

	"paperfs/cache/catalogue"
	"paperfs/cache/media"
	"paperfs/fs/caller"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
)

// pdfName is a name that stands for a PDF: source.pdf, or any other in a paper's directory, and Spring.pdf in the category of
// Spring.paper, which is never listed. If there is no such paper, the close of the PDF creates it.
type pdfName struct {
	in   *place
	name string
	media.PDF
	as string // its name in the twin of the paper, or of the category if there is no paper yet
}

// pdf returns what a name of a PDF in a category stands for. A listed entry of that name takes precedence. Programs and archives write
// accented letters in two ways (macOS as a letter and an accent). If a paper, or a PDF on
// its way to one, has the other form of the name, the PDF belongs to that paper, and no
// second paper is published.
func (c *category) pdf(s *catalogue.Snapshot, name string) (n pdfName, ok bool) {
	if _, ok = names.PaperOf(name); !ok {
		return n, false
	}
	if _, listed := names.Find(s, c.nodeID(), name); listed || c.Hidden(c.nodeID(), name) != nil {
		return n, false
	}
	at := names.Beside(c.nodeID(), name)
	for _, form := range []string{name, norm.NFC.String(name), norm.NFD.String(name)} {
		if other := names.Beside(c.nodeID(), form); names.PaperBeside(s, other) != 0 || c.stores(c.nodeID(), other.Name) {
			at = other
			break
		}
	}
	n = pdfName{&c.place, name, c.Begins(names.PaperBeside(s, at), virtual.Path(&c.Inode, name)), at.Name}
	n.Dir = at.Dir
	if n.New = n.Paper == 0; !n.New {
		n.as = media.Source
	}
	return n, true
}

// stores reports whether the store has a PDF of this name in the twin of a paper or category.
func (t *Tree) stores(node int64, name string) bool {
	twin := t.Media.FindTwin(node)
	if twin == 0 {
		return false
	}
	a, err := t.Media.Lookup(context.Background(), twin, name)
	return err == nil && a.PDF
}

// pdf returns what a name of a PDF in a paper's directory stands for.
func (p *paperDir) pdf(name string) (n pdfName, ok bool) {
	_, ok = names.PaperOf(name)
	return pdfName{&p.place, name, p.Begins(p.node, virtual.Path(&p.Inode, name)), media.Source}, ok
}

// Begins implements mediafs.PDFs.
func (t *Tree) Begins(paper int64, at string) media.PDF {
	pdf := media.PDF{Paper: paper, Path: "/" + at}
	if dir, base := path.Split(pdf.Path); strings.HasSuffix(dir, names.Suffix+"/") && base != names.Source {
		pdf.Path, pdf.Other = dir+names.Source, base
	} else if n, err := t.Node(paper); err == nil && base != names.Source {
		pdf.Dir = n.Parent
	}
	if number, since := t.Catalogue.Edition(paper); number != 0 && t.Documents.SameEdition(paper, since) {
		pdf.Over, pdf.Since = number, since
	}
	return pdf
}

// beside reports whether the name is in a category.
func (n pdfName) beside() bool { return n.Dir != 0 }

// hidden returns which papers have lost names like this one.
func (n pdfName) hidden() *hiddenNames {
	if n.beside() {
		return &n.in.hiddenBeside
	}
	return &n.in.hiddenSource
}

// there reports whether the name exists. Of a paper that an attempt for a PDF may have made, which is not known yet, it does if that
// PDF was not removed: the name must not come back between the two steps of a program that replaces it.
func (n pdfName) there() bool {
	if n.Other != "" {
		return n.in.Media.PutAs(n.Paper) == n.Other
	}
	if n.Paper == 0 {
		return n.in.stores(n.Dir, n.as)
	}
	_, making := n.in.making.Load(names.Beside(n.Dir, n.name))
	return !n.hidden().has(n.Paper) && (!making || n.in.stores(n.Dir, n.name) || n.in.stores(n.Paper, n.as))
}

// twin returns the directory of the store that has the PDF, or would have it.
func (n pdfName) twin() media.Ino {
	if n.Paper != 0 {
		return n.in.Media.Twin(n.Paper)
	}
	return n.in.Media.Twin(n.Dir)
}

// attr returns the attributes of the PDF.
func (n pdfName) attr(ctx context.Context) (media.Attr, error) {
	if n.Paper != 0 {
		return n.in.Media.PDF(n.Paper, n.in.Since(n.Paper)())
	}
	return n.in.Media.Lookup(ctx, n.twin(), n.as)
}

// lookup finds the PDF. The kernel keeps no such name, nor its absence.
func (n pdfName) lookup(ctx context.Context, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	out.SetEntryTimeout(0)
	if !n.there() {
		return nil, syscall.ENOENT
	}
	a, err := n.attr(ctx)
	if err != nil {
		return nil, n.in.fail("lookup", n.name, err)
	}
	return n.in.Files.Entry(ctx, &n.in.Inode, a, out), 0
}

// create creates the name, with nothing in it, and opens it.
func (n pdfName) create(ctx context.Context, flags uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	is := n.there()
	if is && flags&syscall.O_EXCL != 0 {
		return nil, nil, 0, n.in.fail("create", n.name, syscall.EEXIST)
	}
	a, h, err := n.in.Media.CreatePDF(n.twin(), n.as, n.PDF)
	if media.Is(err, media.Exists) {
		a, h, err = n.open(ctx, !is || flags&syscall.O_TRUNC != 0) // the kernel considers it new
	}
	if err != nil {
		return nil, nil, 0, n.in.fail("create", n.name, err)
	}
	n.hidden().set(n.Paper, false)
	handle, options := n.in.Files.Created(ctx, h, flags)
	return n.in.Files.Entry(ctx, &n.in.Inode, a, out), handle, options, 0
}

// open opens what has the place of the name in the store.
func (n pdfName) open(ctx context.Context, empties bool) (a media.Attr, h *media.Handle, err error) {
	if a, err = n.attr(ctx); err == nil {
		err = n.in.Media.BeginPDF(a.Ino, n.PDF)
	}
	if err == nil {
		h, err = n.in.Media.Open(a.Ino, true)
	}
	if err == nil && empties {
		err = h.Truncate(0)
	}
	if err != nil && h != nil {
		h.Release()
	}
	return a, h, err
}

// remove hides the name, and withdraws what is written or queued, unless rsync is the caller: rsync --delete-after removes the
// directory of the paper, which its source lacks, after it has sent the PDF beside it.
func (n pdfName) remove(ctx context.Context) error {
	virtual.RememberPath(&n.in.Inode, n.name)
	if n.Other == "" {
		n.hidden().set(n.Paper, true)
	}
	if !n.beside() && caller.Comm(caller.Thread(ctx)) == "rsync" {
		return nil
	}
	return n.in.Media.RemovePDF(n.twin(), n.as)
}

// target returns where a file goes that is renamed to the name.
func (n pdfName) target(noReplace bool) (media.Ino, string, *media.PDF, error) {
	if noReplace && n.there() {
		return 0, "", nil, syscall.EEXIST
	}
	return n.twin(), n.as, &n.PDF, nil
}

// retry sends an entry of failed/ that a program moves to the name. The
// kernel looks the moved name up again.
func (n pdfName) retry(ctx context.Context, entry string, noReplace bool) error {
	if noReplace && n.there() {
		return syscall.EEXIST
	}
	n.PDF.Over = 0 // who does this has seen both
	n.New = false
	_, err := n.in.Media.RetryPDF(ctx, entry, n.PDF)
	return err
}
