package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/google/uuid"

	"paperfs/remote/durable"
)

// idFile holds the id that ties the contents to their database.
const idFile = "id"

// ID returns the id of the contents in a directory; "" if they have none yet or the directory is
// missing.
func ID(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, idFile))
	if errors.Is(err, syscall.ENOTDIR) { // the service refuses such a directory, in words
		return "", nil
	}
	return strings.TrimSpace(string(text)), ignoreMissing(err)
}

// NewID returns a new id for contents and their database.
func NewID() string { return uuid.NewString() }

// SetID writes the id of the contents durably.
func (s *Store) SetID(id string) error {
	draft := filepath.Join(s.incoming(), idFile+".new")
	f, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(id + "\n")
	return durable.Replace(filepath.Join(s.dir, idFile), f, err)
}

// Holds reports whether there is content in a directory.
func Holds(dir string) (bool, error) {
	dirs, err := os.ReadDir(dir)
	if err != nil {
		return false, ignoreMissing(err)
	}
	for _, d := range dirs {
		if len(d.Name()) != 2 || !d.IsDir() {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(dir, d.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		for _, e := range entries {
			if isKey(e.Name()) {
				return true, nil
			}
		}
	}
	return false, nil
}
