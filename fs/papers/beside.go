package papers

import (
	"golang.org/x/text/unicode/norm"

	"paperfs/cache/catalogue"
	"paperfs/fs/papers/names"
)

// beside is the place of a PDF beside a paper: Spring.pdf, in the category of
// Spring.paper, stands for its source.pdf. It exists whenever the paper does and is never
// listed; a listed file of that name takes precedence. If there is no paper, the close of
// the PDF creates it.
type beside struct {
	category *category
	name     string
}

// beside returns the place of a PDF with the given name. Programs and archives write
// accented letters in two ways (macOS as a letter and an accent). If a paper, or a PDF on
// its way to one, has the other form of the name, the PDF belongs to that paper, and no
// second paper is published.
func (c *category) beside(s *catalogue.Snapshot, name string) beside {
	if _, pdf := names.PaperOf(name); !pdf || norm.NFC.IsNormalString(name) && norm.NFD.IsNormalString(name) {
		return beside{c, name}
	}
	for _, form := range []string{name, norm.NFC.String(name), norm.NFD.String(name)} {
		if b := (beside{c, form}); b.paperIn(s) != 0 || c.pending.Has(b.entry()) {
			return b
		}
	}
	return beside{c, name}
}

// entry implements pdfName.
func (b beside) entry() names.Entry { return names.Beside(b.category.nodeID(), b.name) }

// other implements pdfName: there is no other name.
func (b beside) other() string { return "" }

// paper returns the id of the paper, or 0 if there is none yet.
func (b beside) paper() int64 {
	s := b.category.Catalogue.Peek()
	if s == nil {
		return 0
	}
	return b.paperIn(s)
}

func (b beside) paperIn(s *catalogue.Snapshot) int64 { return names.PaperBeside(s, b.entry()) }

// there reports whether the name exists.
func (b beside) there(s *catalogue.Snapshot) bool {
	paper := b.paperIn(s)
	if paper != 0 {
		if b.category.pending.UnlinkedBefore(b.entry()) {
			b.category.hiddenBeside.set(paper, true)
		}
		return !b.category.hiddenBeside.has(paper)
	}
	return b.category.pending.Has(b.entry())
}
