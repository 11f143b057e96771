package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace puts a draft in the place of a file, which is the old one or all of
// the new one at any moment, also after a power cut. written is the error of
// writing the draft. After any error the draft is gone and the old file stays,
// unless only the last sync failed.
func Replace(path string, draft *os.File, written error) error {
	err := errors.Join(written, draft.Sync(), draft.Close())
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return Rename(draft.Name(), path)
}

// Rename renames a file whose content is durable. A draft that cannot be
// renamed is removed.
func Rename(draft, path string) error {
	if err := os.Rename(draft, path); err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	return SyncDir(filepath.Dir(path))
}
