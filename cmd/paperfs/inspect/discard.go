package inspect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"paperfs/remote/shellword"

	"github.com/spf13/cobra"
)

func NewDiscard() *cobra.Command {
	return &cobra.Command{
		Use:   "discard PATH",
		Short: "Give up an unpublished file",
		Long:  `A queued file moves to .paperfs/failed. A file in .paperfs/failed is deleted.`,
		Example: `paperfs discard ~/ipaper/media/film.mp4
paperfs discard ~/ipaper/.paperfs/failed/film.mp4`,
		Args: cobra.ExactArgs(1),
		RunE: inMount(func(_ *cobra.Command, m mounted, inside string) error {
			f, err := m.failed(inside)
			another := slices.ContainsFunc(pdfNames(inside), func(pdf string) bool { return m.isDir(strings.TrimSuffix(pdf, "/source.pdf")) })
			if f.Gone && another { // the path is that of another paper by now
				err = fmt.Errorf("%s: %w, except of a deleted paper that had this name: %s", filepath.Join(m.dir, inside), errNotFailed, m.control("failed/"+f.Name))
			}
			if errors.Is(err, errNotFailed) && (strings.HasPrefix(inside, "media/") || strings.HasPrefix(inside, "papers/")) {
				return m.discardQueued(inside, err)
			}
			if err != nil {
				return err
			}
			file := m.control(filepath.Join("failed", f.Name))
			return saysWhy(os.Remove(file), file)
		}),
	}
}

// discardQueued removes the upload of a path, without content in .paperfs/failed as its error has it, from the queue.
func (m mounted) discardQueued(inside string, notFailed error) (err error) {
	for _, path := range pdfNames(inside) {
		if err = m.tell("discard", path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	told, ok := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; nothing is queued under this name", notFailed)
	case ok:
		file := filepath.Join(m.dir, inside)
		return fmt.Errorf("%s: %w (`paperfs why %s` says more)", file, told.Err, shellword.Quote(file))
	}
	return err
}
