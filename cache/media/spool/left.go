package spool

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paperfs/cache/media/inode"
)

// Leftovers finds the serials of the spools that an earlier run left, by inode, and removes what
// is no spool, or ended with that run.
func (s *Dir) Leftovers() (map[inode.Ino][]uint64, error) {
	entries, err := os.ReadDir(s.Path)
	if err != nil {
		return nil, err
	}
	left := make(map[inode.Ino][]uint64)
	for _, e := range entries {
		if name, is := strings.CutSuffix(e.Name(), disownedEnd); is {
			s.disowned = append(s.disowned, strings.TrimSuffix(name, goneMark))
		}
		if strings.HasSuffix(e.Name(), disownedEnd) || strings.HasSuffix(e.Name(), UnfinishedEnd) {
			if err := os.Remove(filepath.Join(s.Path, e.Name())); err != nil {
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

// goneMark is in the name of an empty file that has Disowned be true of a spool that is there no more.
const goneMark = ".gone"

// MarkGone has the next run find a spool disowned, though it may be there no more: what names it could
// not be written.
func (s *Dir) MarkGone(ino inode.Ino, serial uint64) error {
	return os.WriteFile(s.PathOf(ino, serial)+goneMark+disownedEnd, nil, 0o600)
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
