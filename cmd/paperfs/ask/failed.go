package ask

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"paperfs/fs/control"

	"golang.org/x/text/unicode/norm"
)

var errNotFailed = errors.New("there is no unpublished content")

// pdfNames are the names of what a path means, first the path itself: a paper's PDF has two,
// X.pdf and X.paper/source.pdf, and accented letters can be written in two ways.
func pdfNames(inside string) []string {
	if !strings.HasPrefix(inside, "papers/") {
		return []string{inside}
	}
	base, endings := inside, []string{""}
	if paper, ok := strings.CutSuffix(inside, ".paper/source.pdf"); ok {
		base, endings = paper, []string{".paper/source.pdf", ".pdf", ".PDF"}
	} else if ext := filepath.Ext(inside); ext == ".pdf" || ext == ".PDF" {
		base, endings = strings.TrimSuffix(inside, ext), []string{ext, ".paper/source.pdf"}
	}
	var names []string
	for _, form := range formsOf(base) {
		for _, ending := range endings {
			names = append(names, form+ending)
		}
	}
	return names
}

// formsOf are the ways to write the accented letters of a path's last name, first the path itself.
// The category above has the one form that it was made with.
func formsOf(path string) []string {
	dir, name := filepath.Split(path)
	return slices.Compact([]string{path, dir + norm.NFC.String(name), dir + norm.NFD.String(name)})
}

// failed finds the content that a path means: its place in .paperfs/failed, or
// the one that it was meant for, by either name of a PDF.
func (m mounted) failed(inside string) (control.Failed, error) {
	s, _, err := m.status()
	if err != nil {
		return control.Failed{}, err
	}
	for _, path := range pdfNames(inside) {
		for _, f := range s.Media.FailedFiles {
			if path == ".paperfs/failed/"+f.Name || path == f.Place {
				return f, nil
			}
		}
	}
	return control.Failed{}, fmt.Errorf("%s: %w", filepath.Join(m.dir, inside), errNotFailed)
}
