package filestore

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// Sweep implements store.Contents. It takes one directory at a time, so its
// memory is that of one 256th of the keys.
func (s *Store) Sweep(used func(prefix string) ([]string, error)) error {
	if err := removeAllBut(s.incoming(), nil); err != nil {
		return err
	}
	dirs, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, d := range dirs {
		if len(d.Name()) != 2 || !d.IsDir() {
			continue
		}
		keys, err := used(d.Name())
		if err != nil {
			return err
		}
		if err := removeAllBut(filepath.Join(s.dir, d.Name()), keys); err != nil {
			return err
		}
	}
	return nil
}

func removeAllBut(dir string, keep []string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	slices.Sort(keep)
	var failed error
	for _, e := range entries {
		if _, found := slices.BinarySearch(keep, e.Name()); !found {
			failed = errors.Join(failed, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return failed
}
