package filestore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"paperfs/remote/durable"
	"paperfs/remote/service/store"
)

// Entry describes a content in a store.
type Entry struct {
	Key string
	fs.FileInfo
}

// Entries visits all content. A missing directory has none.
func (s *Store) Entries(visit func(Entry) error) error {
	dirs, err := os.ReadDir(s.dir)
	if err != nil {
		return ignoreMissing(err)
	}
	for _, d := range dirs {
		if len(d.Name()) != 2 || !d.IsDir() {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(s.dir, d.Name()))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !isKey(e.Name()) {
				continue
			}
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // removed since
			}
			if err == nil {
				err = visit(Entry{e.Name(), info})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Take copies content from another store, by a hard link if the file system allows it. It reports
// false if this store already has content of the same key and size. store.ErrNotFound: the other
// store does not have the content.
func (s *Store) Take(from *Store, key string) (taken bool, err error) {
	source, err := from.path(key)
	if err != nil {
		return false, err
	}
	target, err := s.path(key)
	if err != nil {
		return false, err
	}
	info, err := os.Stat(source)
	if errors.Is(err, fs.ErrNotExist) {
		return false, store.ErrNotFound
	}
	if err != nil {
		return false, err
	}
	if have, err := os.Stat(target); err == nil && have.Size() == info.Size() {
		return false, nil
	}
	if err := s.makeDir(filepath.Dir(target)); err != nil {
		return false, err
	}
	draft := filepath.Join(s.incoming(), key)
	if err := ignoreMissing(os.Remove(draft)); err != nil {
		return false, err
	}
	if err := linkOrCopy(source, draft); err != nil {
		return false, spaceError(err)
	}
	return true, os.Rename(draft, target)
}

// linkOrCopy returns store.ErrNotFound if the source is missing.
func linkOrCopy(source, target string) error {
	if os.Link(source, target) == nil {
		return nil
	}
	in, err := os.Open(source)
	if errors.Is(err, fs.ErrNotExist) {
		return store.ErrNotFound
	}
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	// Sweep decides by the age of content, so the copy keeps it.
	return errors.Join(err, out.Sync(), out.Close(), os.Chtimes(target, info.ModTime(), info.ModTime()))
}

// Restore moves a content back from the trash. It returns false if the trash does not have it.
func (s *Store) Restore(key string) (bool, error) {
	target, err := s.path(key)
	if err != nil {
		return false, err
	}
	found, err := filepath.Glob(filepath.Join(s.trash(), "????-??-??", key))
	if err != nil || len(found) == 0 {
		return false, err
	}
	if err := s.makeDir(filepath.Dir(target)); err != nil {
		return false, err
	}
	return true, move(found[len(found)-1], target, filepath.Join(s.incoming(), key))
}

// move moves a file, even to another file system: content may be on a file system of its own. A
// crash may leave a copy under the name draft.
func move(from, to, draft string) error {
	err := os.Rename(from, to)
	if !errors.Is(err, unix.EXDEV) {
		return err
	}
	if err := ignoreMissing(os.Remove(draft)); err != nil {
		return err
	}
	if err := linkOrCopy(from, draft); err != nil {
		return errors.Join(spaceError(err), ignoreMissing(os.Remove(draft)))
	}
	if err := durable.Rename(draft, to); err != nil {
		return err
	}
	return os.Remove(from)
}

// Discard moves a content to the trash.
func (s *Store) Discard(key string) error {
	if _, err := s.path(key); err != nil {
		return err
	}
	return ignoreMissing(s.moveToTrash(key[:2], key, time.Now()))
}
