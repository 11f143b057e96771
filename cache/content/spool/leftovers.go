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

	"paperfs/cache/content/inode"
)

// Leftovers returns the serials of the spools that an earlier run left, by the number in their
// names, and removes unfinished copies. Disowned spools are truncated at once; Forget removes them.
func (s *Dir) Leftovers() (map[inode.Ino][]uint64, error) {
	entries, err := os.ReadDir(s.Path)
	if err != nil {
		return nil, err
	}
	left := make(map[inode.Ino][]uint64)
	s.earlier = make(map[uint64]string)
	for _, e := range entries {
		path := filepath.Join(s.Path, e.Name())
		if name, is := strings.CutSuffix(e.Name(), disownedEnd); is {
			name = strings.TrimSuffix(name, goneMark)
			s.disowned, s.over = append(s.disowned, name), append(s.over, path)
			if ino, serial, ok := Parse(name); ok {
				s.found(ino, serial, name)
			}
			if err := empty(path); err != nil {
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
			s.found(ino, serial, e.Name())
		}
	}
	return left, nil
}

func (s *Dir) found(ino inode.Ino, serial uint64, name string) {
	s.Used(serial)
	if ino != 0 {
		s.earlier[serial] = name
	}
}

// Forget removes disowned spools, once no row names them. If a start ends before that, the next
// one removes them.
func (s *Dir) Forget() error {
	for _, path := range s.over {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	s.over = nil
	return nil
}

// goneMark is in the name of an empty file that marks a spool as disowned although the spool no
// longer exists.
const goneMark = ".gone"

// MarkGone makes the next run find a spool disowned even if it no longer exists, because the
// row that names it could not be updated.
func (s *Dir) MarkGone(serial uint64) error {
	return os.WriteFile(s.PathOf(serial)+goneMark+disownedEnd, nil, 0o600)
}

// Unmark undoes MarkGone.
func (s *Dir) Unmark(serial uint64) error {
	err := os.Remove(s.PathOf(serial) + goneMark + disownedEnd)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Disowned reports whether Leftovers found the named spool disowned.
func (s *Dir) Disowned(name string) bool { return slices.Contains(s.disowned, name) }

// Parse splits the name of a spool; ino is 0 if it has none.
func Parse(name string) (ino inode.Ino, serial uint64, ok bool) {
	_, err := fmt.Sscanf(name, "%d-%d", &ino, &serial)
	if err != nil {
		ino = 0
		_, err = fmt.Sscanf(name, "%d", &serial)
	}
	return ino, serial, err == nil && name == Name(ino, serial)
}

// Used keeps new spools from getting a serial that an earlier run used.
func (s *Dir) Used(serial uint64) { s.Serial.Store(max(s.Serial.Load(), serial)) }

// Found returns a spool that an earlier run left, with its modification time, and counts its
// room.
func (s *Dir) Found(path string) (*File, time.Time, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	s.Room.Add(info.Size())
	_, serial, _ := Parse(filepath.Base(path))
	return &File{Path: path, Serial: serial, Size: info.Size()}, info.ModTime(), nil
}
