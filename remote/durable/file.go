package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace replaces a file with a draft. At any moment, also after a power cut, the file is
// the old one or all of the new one. written is the error of writing the draft. After any
// error the draft is removed and the old file stays, unless only the last sync failed.
func Replace(path string, draft *os.File, written error) error {
	err := errors.Join(written, draft.Sync(), draft.Close())
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return Rename(draft.Name(), path)
}

// Rename renames a draft whose content is durable. It removes a draft that it cannot
// rename.
func Rename(draft, path string) error {
	if err := os.Rename(draft, path); err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	return SyncDir(filepath.Dir(path))
}
