package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paperfs/cache/media/inode"
)

// Leftovers finds the serials of the spools that an earlier run left, by inode, and removes what
// is no spool. What was disowned takes no room from then on; Forget removes it.
func (s *Dir) Leftovers() (map[inode.Ino][]uint64, error) {
	entries, err := os.ReadDir(s.Path)
	if err != nil {
		return nil, err
	}
	left := make(map[inode.Ino][]uint64)
	for _, e := range entries {
		path := filepath.Join(s.Path, e.Name())
		if name, is := strings.CutSuffix(e.Name(), disownedEnd); is {
			s.disowned, s.over = append(s.disowned, strings.TrimSuffix(name, goneMark)), append(s.over, path)
			if err := os.Truncate(path, 0); err != nil {
				return nil, err
			}
			continue
		}
		if strings.HasSuffix(e.Name(), UnfinishedEnd) {
			if err := os.Remove(path); err != nil {
				return nil, err
			}
			continue
		}
		if ino, serial, ok := Parse(e.Name()); ok {
			left[ino] = append(left[ino], serial)
			s.Serial.Store(max(s.Serial.Load(), serial))
		}
	}
	return left, nil
}

// Forget removes what was disowned, once no row names it: a start that ends before that leaves it
// to the next one.
func (s *Dir) Forget() error {
	for _, path := range s.over {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	s.over = nil
	return nil
}

// goneMark is in the name of an empty file that has Disowned be true of a spool that is there no more.
const goneMark = ".gone"

// MarkGone has the next run find a spool disowned, though it may be there no more: what names it could
// not be written.
func (s *Dir) MarkGone(ino inode.Ino, serial uint64) error {
	return os.WriteFile(s.PathOf(ino, serial)+goneMark+disownedEnd, nil, 0o600)
}

// Unmark undoes MarkGone.
func (s *Dir) Unmark(ino inode.Ino, serial uint64) error {
	err := os.Remove(s.PathOf(ino, serial) + goneMark + disownedEnd)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Disowned reports whether Leftovers found the spool of a name disowned.
func (s *Dir) Disowned(name string) bool { return slices.Contains(s.disowned, name) }

// Parse undoes the naming of a spool.
func Parse(name string) (ino inode.Ino, serial uint64, ok bool) {
	_, err := fmt.Sscanf(name, "%d-%d", &ino, &serial)
	return ino, serial, err == nil && name == Name(ino, serial)
}

// Found counts in a spool that an earlier run left.
func (s *Dir) Found(path string) (*File, time.Time, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	s.Room.Add(info.Size())
	_, serial, _ := Parse(filepath.Base(path))
	return &File{Path: path, Serial: serial, Size: info.Size()}, info.ModTime(), nil
}
