package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"paperfs/remote/service/datadir"
)

// backupPlace resolves dir to a path without symbolic links. It must be outside the data.
func (m *Admin) backupPlace(dir string) (string, error) {
	place, err := resolve(dir)
	if err != nil {
		return "", err
	}
	for _, own := range []string{m.data, filepath.Join(m.data, datadir.ContentDir)} {
		for _, to := range []string{place, filepath.Join(place, datadir.ContentDir)} {
			inside, err := liesIn(own, to)
			if err != nil {
				return "", err
			}
			if inside {
				return "", fmt.Errorf("%s is in the data directory: choose another place for the backup", dir)
			}
		}
	}
	return place, nil
}

// liesIn reports whether a file, which need not exist yet, is a directory or lies below it,
// however the two paths are written.
func liesIn(dir, file string) (bool, error) {
	dir, dirErr := resolve(dir)
	file, fileErr := resolve(file)
	if err := errors.Join(dirErr, fileErr); err != nil {
		return false, err
	}
	if below, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(below) {
		return true, nil
	}
	one, err := os.Stat(dir)
	if err != nil {
		return false, ignoreMissing(err)
	}
	other, err := os.Stat(file)
	return err == nil && os.SameFile(one, other), ignoreMissing(err)
}

// resolve returns the absolute path, without symbolic links, of a file that need not exist yet.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	parent, err := resolve(filepath.Dir(path))
	return filepath.Join(parent, filepath.Base(path)), err
}
