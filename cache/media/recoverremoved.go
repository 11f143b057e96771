package media

import (
	"errors"
	"io/fs"
	"os"
)

// loadRemovals drops what an earlier run had removed, unless the machine has
// ended since.
func (s *Store) loadRemovals(rebooted bool, left map[Ino][]uint64) error {
	if !rebooted {
		return s.removeLeft(left)
	}
	if err := os.Remove(s.removals.Path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeLeft drops what an earlier run had removed without writing its rows any
// more: the inodes, and their spools, which are among left. A directory that
// has something in it again, since the rename that had emptied it was not written
// either, stays.
func (s *Store) removeLeft(left map[Ino][]uint64) error {
	inodes, err := s.removals.Left()
	if err != nil {
		return err
	}
	removed := make(map[Ino]bool, len(inodes))
	for _, ino := range inodes {
		removed[ino] = true
		s.lastIno = max(s.lastIno, ino) // whoever gets its number would go with the next kill
	}
	for ino := range removed {
		if n := s.nodes[ino]; n != nil && n.AtService() {
			continue // GetTree tells
		}
		for _, serial := range left[ino] {
			if err := os.Remove(s.spools.PathOf(ino, serial)); err != nil {
				return err
			}
		}
		delete(left, ino)
		s.dropLeft(ino, removed)
	}
	s.removals.Until(s.dirtied)
	return nil
}

// dropLeft takes the names of one of the removed inodes, if there is nothing in
// it, and of those that it lay in.
func (s *Store) dropLeft(ino Ino, removed map[Ino]bool) {
	for n := s.nodes[ino]; n != nil && removed[n.Ino] && !n.AtService() && len(n.Children) == 0; {
		in := n.Parent
		s.dropNames(n)
		n = in
	}
}
