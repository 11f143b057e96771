package spool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Leftovers returns the serials of the spools that an earlier run left, and removes unfinished copies. Disowned
// spools are truncated at once; Forget removes them.
func (s *Dir) Leftovers() (left []uint64, err error) {
	entries, err := os.ReadDir(s.Path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(s.Path, e.Name())
		if name, is := strings.CutSuffix(e.Name(), disownedEnd); is {
			name = strings.TrimSuffix(name, goneMark)
			s.disowned, s.over = append(s.disowned, name), append(s.over, path)
			if serial, ok := Parse(name); ok {
				s.Used(serial)
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
		if serial, ok := Parse(e.Name()); ok {
			left = append(left, serial)
			s.Used(serial)
		}
	}
	return left, nil
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

// Parse returns the serial of a spool with this name.
func Parse(name string) (serial uint64, ok bool) {
	serial, err := strconv.ParseUint(name, 10, 64)
	return serial, err == nil && name == Name(serial)
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
	serial, _ := Parse(filepath.Base(path))
	return &File{Path: path, Serial: serial, Size: info.Size()}, info.ModTime(), nil
}
