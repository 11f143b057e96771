package inspect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paperfs/cache/failure"
	"paperfs/cmd/paperfs/cli"
)

// ErrUnpublished means that not everything was published, and that waiting does not change that.
var ErrUnpublished = errors.New("not everything is on the service")

// unpublished returns an error that lists what was not published: the content in
// .paperfs/failed, and directories refused since a time; of one paper, the PDFs with its names, without those refused
// before then that a later PDF of the paper has replaced. It returns nil if everything was published.
func (m mounted) unpublished(since time.Time, pdfs ...string) error {
	s, _, err := m.status()
	if err != nil {
		return err
	}
	var lines []string
	for _, f := range s.Media.FailedFiles {
		if len(pdfs) == 0 || slices.Contains(pdfs, f.Place) && (f.Since.After(since) || !f.Replaced && !f.Gone) {
			lines = append(lines, fmt.Sprintf("/%s, now .paperfs/failed/%s: %s", cli.Printable(f.Place), cli.Printable(f.Name), cli.Printable(f.Reason)))
		}
	}
	if len(pdfs) == 0 {
		dirs, err := m.refusedDirectories(since.Truncate(time.Millisecond)) // the list has this precision
		if err != nil {
			return err
		}
		lines = append(lines, dirs...)
	}
	return unpublishedError(lines)
}

func unpublishedError(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("%w:\n  %s", ErrUnpublished, strings.Join(lines, "\n  "))
}

// refusedDirectories returns the directories of media/ that the service refused since a
// time. They have no content, so failed/ does not list them.
func (m mounted) refusedDirectories(since time.Time) ([]string, error) {
	text, err := m.read("errors")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for line := range bytes.Lines(text) {
		e, err := failure.Parse(strings.TrimSuffix(string(line), "\n"))
		if err != nil {
			return nil, err
		}
		if e.Op != "mkdir" || !strings.HasPrefix(e.Path, "media/") || e.Time.Before(since) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(m.dir, e.Path)); errors.Is(err, fs.ErrNotExist) {
			dirs = append(dirs, "/"+cli.Printable(e.Path)+": "+cli.Printable(e.Message))
		}
	}
	return dirs, nil
}
