package media

import (
	"errors"
	"io/fs"
	"os"
)

// loadTombstones drops what an earlier run had removed, unless the machine has
// ended since.
func (s *Store) loadTombstones(rebooted bool, leftovers map[Ino][]uint64) error {
	if !rebooted {
		return s.replayTombstones(leftovers)
	}
	if err := os.Remove(s.tombstones.Path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// replayTombstones drops what an earlier run had removed without writing its rows any
// more: the inodes, and their spools, which are among leftovers. A directory that
// has something in it again, since the rename that had emptied it was not written
// either, stays.
func (s *Store) replayTombstones(leftovers map[Ino][]uint64) error {
	inodes, err := s.tombstones.Replay()
	if err != nil {
		return err
	}
	removed := make(map[Ino]bool, len(inodes))
	for _, ino := range inodes {
		removed[ino] = true
		s.lastIno = max(s.lastIno, ino) // else a file that gets its number would go with the next kill
	}
	for ino := range removed {
		if n := s.nodes[ino]; n != nil && n.AtService() {
			continue // GetTree tells
		}
		for _, serial := range leftovers[ino] {
			if err := os.Remove(s.spools.PathOf(ino, serial)); err != nil {
				return err
			}
		}
		delete(leftovers, ino)
		s.replayTombstone(ino, removed)
	}
	s.tombstones.Until(s.dirtied)
	return nil
}

// replayTombstone takes the names of one of the removed inodes, if there is nothing in
// it, and of those that it lay in.
func (s *Store) replayTombstone(ino Ino, removed map[Ino]bool) {
	for n := s.nodes[ino]; n != nil && removed[n.Ino] && !n.AtService() && len(n.Children) == 0; {
		in := n.Parent
		s.dropNames(n)
		n = in
	}
}
