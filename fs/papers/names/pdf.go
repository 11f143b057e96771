package names

import (
	"strings"

	"paperfs/cache/catalogue"
	"paperfs/remote"
)

// Source is the name of a paper's PDF in the paper's directory.
const Source = "source.pdf"

// Entry is a name in a category, a paper, or another directory of papers/.
type Entry struct {
	Dir  int64
	Name string
}

// In returns the entry of a name in a directory.
func In(dir int64, name string) Entry { return Entry{dir, name} }

// PDFEndings are the endings of a PDF beside a paper.
var PDFEndings = []string{".pdf", ".PDF"}

// PaperOf returns the name of the paper that a PDF of the given name is beside.
func PaperOf(name string) (paper string, ok bool) {
	for _, ending := range PDFEndings {
		if base, ok := strings.CutSuffix(name, ending); ok && base != "" {
			return base + Suffix, true
		}
	}
	return "", false
}

// Beside returns the entry of a PDF beside a paper. Both endings have the same entry.
func Beside(category int64, name string) Entry {
	paper, _ := PaperOf(name)
	return Entry{category, strings.TrimSuffix(paper, Suffix) + PDFEndings[0]}
}

// PaperBeside returns the paper that an entry is beside, or 0 if the category has no such
// paper.
func PaperBeside(s *catalogue.Snapshot, at Entry) int64 {
	paper, ok := PaperOf(at.Name)
	if !ok {
		return 0
	}
	n, ok := Find(s, at.Dir, paper)
	if !ok || n.Kind != remote.PaperNode {
		return 0
	}
	return n.ID
}
