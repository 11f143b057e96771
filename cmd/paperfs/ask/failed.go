package ask

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"paperfs/fs/control"

	"golang.org/x/text/unicode/norm"
)

var errNotFailed = errors.New("there is no unpublished content")

// pdfNames are the names of what a path means, first the path itself: a paper's PDF has two,
// X.pdf and X.paper/source.pdf, and accented letters can be written in two ways.
func pdfNames(inside string) []string {
	names := []string{inside}
	if !strings.HasPrefix(inside, "papers/") {
		return names
	}
	if paper, ok := strings.CutSuffix(inside, ".paper/source.pdf"); ok {
		names = append(names, paper+".pdf", paper+".PDF")
	} else if ext := filepath.Ext(inside); ext == ".pdf" || ext == ".PDF" {
		names = append(names, strings.TrimSuffix(inside, ext)+".paper/source.pdf")
	}
	for _, name := range names {
		names = append(names, norm.NFC.String(name), norm.NFD.String(name))
	}
	return names
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
