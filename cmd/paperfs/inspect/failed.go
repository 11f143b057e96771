package inspect

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"paperfs/fs/control"
	"paperfs/remote/shellword"

	"golang.org/x/text/unicode/norm"
)

var errNotFailed = errors.New("there is no unpublished content")

// notFailed is errNotFailed in other words.
type notFailed struct{ words string }

func (e *notFailed) Error() string { return e.words }

func (e *notFailed) Is(target error) bool { return target == errNotFailed }

// pdfNames returns all names of the file at a path, first the path itself; of a paper those of its PDF, which has
// two names, X.pdf and X.paper/source.pdf. Accented letters have two Unicode forms.
func pdfNames(inside string) []string {
	if !strings.HasPrefix(inside, "papers/") {
		return []string{inside}
	}
	base, endings := inside, []string{""}
	if paper, ok := strings.CutSuffix(strings.TrimSuffix(inside, "/source.pdf"), ".paper"); ok {
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

// formsOf returns a path with its last name in each Unicode form, first the path itself. The
// directories above keep the form in which they were created.
func formsOf(path string) []string {
	dir, name := filepath.Split(path)
	return slices.Compact([]string{path, dir + norm.NFC.String(name), dir + norm.NFD.String(name)})
}

// failed returns the failed content of a path, which is its place in .paperfs/failed or its destination, by either name of a
// PDF: what was for a paper that is gone only where nothing else has that path.
func (m mounted) failed(inside string) (control.Failed, error) {
	s, _, err := m.status()
	if err != nil {
		return control.Failed{}, err
	}
	var other *control.Failed // what is left if the content itself is gone
	for _, path := range pdfNames(inside) {
		for i, f := range s.Media.FailedFiles {
			switch {
			case path == ".paperfs/failed/"+f.Name || path == f.Place && f.Suffix == "" && !f.Gone:
				return f, nil
			case path == f.Place && (other == nil || other.Gone):
				other = &s.Media.FailedFiles[i]
			}
		}
	}
	if other != nil {
		return *other, nil
	}
	path := filepath.Join(m.dir, inside)
	switch {
	case inside == ".paperfs/failed":
		return control.Failed{}, &notFailed{fmt.Sprintf("%s: name one of the files in it. To delete them all, run: rm -r -- %s/*", path, shellword.Quote(path))}
	case strings.HasPrefix(inside, ".paperfs/failed/"):
		return control.Failed{}, &notFailed{path + ": " + syscall.ENOENT.Error()}
	}
	for _, f := range s.Media.FailedFiles {
		if strings.HasPrefix(f.Place, inside+"/") {
			return control.Failed{}, fmt.Errorf("%s: %w, except of files in it, such as %s", path, errNotFailed, m.control("failed/"+f.Name))
		}
	}
	return control.Failed{}, fmt.Errorf("%s: %w", path, errNotFailed)
}
