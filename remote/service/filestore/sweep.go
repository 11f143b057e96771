package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"
)

// sweepAge is the minimum age of content without a record before Sweep moves it: newer content
// may be about to get one.
const sweepAge = 24 * time.Hour

// trashDay is the format of the directory names in trash/: the day of the move.
const trashDay = time.DateOnly

// trash is next to the store's directory.
func (s *Store) trash() string { return filepath.Join(filepath.Dir(s.dir), "trash") }

// Swept counts what Sweep did.
type Swept struct {
	Moved   int // to the trash
	Removed int // for good, after its time in the trash
}

// Sweep removes drafts that a crash left. It moves content to the trash that is older than a day
// and whose key is not among those that used returns for its prefix, and removes content that has
// been in the trash for longer than keep. Call it before serving. It handles one directory at a
// time, so it needs memory for a 256th of the keys.
func (s *Store) Sweep(used func(prefix string) ([]string, error), keep time.Duration) (swept Swept, err error) {
	now := time.Now()
	if err := s.removeDrafts(); err != nil {
		return swept, err
	}
	swept.Removed, err = s.emptyTrash(now.Add(-keep))
	if err != nil {
		return swept, err
	}
	dirs, err := os.ReadDir(s.dir)
	if err != nil {
		return swept, err
	}
	for _, d := range dirs {
		if len(d.Name()) != 2 || !d.IsDir() {
			continue
		}
		keys, err := used(d.Name())
		if err != nil {
			return swept, err
		}
		moved, err := s.moveAllBut(d.Name(), keys, now)
		swept.Moved += moved
		if err != nil {
			return swept, err
		}
	}
	return swept, nil
}

// removeDrafts removes the drafts that a crash left, recognizing them by their names. No caller
// was told that they are stored.
func (s *Store) removeDrafts() error {
	entries, err := os.ReadDir(s.incoming())
	if err != nil {
		return err
	}
	var failed error
	for _, e := range entries {
		if e.Type().IsRegular() && isKey(e.Name()) {
			failed = errors.Join(failed, ignoreMissing(os.Remove(filepath.Join(s.incoming(), e.Name()))))
		}
	}
	return failed
}

// moveAllBut moves content to the trash that is not in keep. It leaves other files alone.
func (s *Store) moveAllBut(prefix string, keep []string, now time.Time) (moved int, err error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, prefix))
	if err != nil {
		return 0, err
	}
	return s.moveEntries(prefix, entries, keep, now)
}

func (s *Store) moveEntries(prefix string, entries []fs.DirEntry, keep []string, now time.Time) (moved int, err error) {
	slices.Sort(keep)
	for _, e := range entries {
		if _, found := slices.BinarySearch(keep, e.Name()); found || !e.Type().IsRegular() || !isKey(e.Name()) {
			continue
		}
		info, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed since
			continue
		case err != nil:
			return moved, err
		case now.Sub(info.ModTime()) < sweepAge:
			continue
		}
		if err := s.moveToTrash(prefix, e.Name(), now); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

func (s *Store) moveToTrash(prefix, key string, now time.Time) error {
	day := filepath.Join(s.trash(), now.UTC().Format(trashDay))
	if err := os.MkdirAll(day, 0o700); err != nil {
		return err
	}
	return move(filepath.Join(s.dir, prefix, key), filepath.Join(day, key), filepath.Join(day, key+".new"))
}

// emptyTrash removes the content of the days before a time and returns the number of files.
func (s *Store) emptyTrash(before time.Time) (removed int, err error) {
	days, err := os.ReadDir(s.trash())
	if err != nil {
		return 0, ignoreMissing(err)
	}
	for _, d := range days {
		// The files of a day were moved before its end.
		day, err := time.Parse(trashDay, d.Name())
		if err != nil || !d.IsDir() || !day.Add(24*time.Hour).Before(before) {
			continue
		}
		dir := filepath.Join(s.trash(), d.Name())
		entries, err := os.ReadDir(dir)
		if err != nil {
			return removed, err
		}
		if err := os.RemoveAll(dir); err != nil {
			return removed, err
		}
		removed += len(entries)
	}
	return removed, nil
}

// isKey reports whether a name has the form of this package's keys.
func isKey(name string) bool {
	_, err := uuid.Parse(name)
	return err == nil && len(name) == 36
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
