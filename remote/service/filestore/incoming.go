package filestore

import (
	"errors"
	"os"
	"path/filepath"

	"paperfs/remote/durable"
)

// incoming is a file in incoming/ that becomes content.
type incoming struct {
	store *Store
	key   string
	file  *os.File // nil before it is there, and after end and Discard
}

func (i *incoming) name() string { return filepath.Join(i.store.incoming(), i.key) }

// end gives the file, which has all bytes and is synced, its name among the contents. After an
// error, which may be an earlier one, there is no file.
func (i *incoming) end(err error) (key string, _ error) {
	if err == nil {
		err = i.store.place(i.key)
	}
	if err != nil {
		i.Discard()
		return "", err
	}
	err = i.file.Close()
	i.file = nil
	return i.key, err
}

// Discard implements store.Draft.
func (i *incoming) Discard() {
	if i.file == nil {
		return
	}
	// If the name cannot be removed now, the next Sweep removes it.
	_ = os.Remove(i.name())
	_ = i.file.Close()
	i.file = nil
}

// place gives synced content its name.
func (s *Store) place(key string) error {
	path, err := s.path(key)
	if err != nil {
		return err
	}
	dir, draft := filepath.Dir(path), filepath.Join(s.incoming(), key)
	err = os.Rename(draft, path)
	if errors.Is(err, os.ErrNotExist) { // first content of this directory
		if err := s.makeDir(dir); err != nil {
			return err
		}
		err = os.Rename(draft, path)
	}
	if err != nil {
		return spaceError(err)
	}
	return durable.SyncDir(dir)
}
