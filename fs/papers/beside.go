package papers

import (
	"golang.org/x/text/unicode/norm"

	"paperfs/cache/catalogue"
	"paperfs/fs/papers/names"
)

// beside is the place of a PDF beside a paper: Spring.pdf, in the category of
// Spring.paper, stands for its source.pdf. It is there whenever the paper is, and
// never listed; a listed name goes first. One that is written where there is no
// paper makes it when it is closed.
type beside struct {
	category *category
	name     string
}

// beside is the place of a PDF of some name. Programs and archives write accented letters in two
// ways (macOS as a letter and an accent): where a paper, or a PDF on its way to one, has the
// other form of the name, the PDF is that paper's, and no second paper is published.
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

// other implements pdfName: there is none.
func (b beside) other() string { return "" }

// paper is the id of the paper, 0 where there is none yet.
func (b beside) paper() int64 {
	s := b.category.Catalogue.Peek()
	if s == nil {
		return 0
	}
	return b.paperIn(s)
}

func (b beside) paperIn(s *catalogue.Snapshot) int64 { return names.PaperBeside(s, b.entry()) }

// there reports whether the name is there.
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

// node is the file of the name.
func (b beside) node() *source { return &source{Tree: b.category.Tree, pdfName: b} }
