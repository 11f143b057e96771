package media

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"paperfs/cache/media/lock"
)

// removals is a log of the inodes that were removed here and whose rows are not
// written yet. Rows wait for others; a line here takes a tenth of the time, so
// that no removal waits and none is undone by a kill. Nothing of it is synced:
// after the machine's end the rows alone tell what there is.
type removals struct {
	path string

	mu   lock.Mutex[lock.Removals]
	f    *os.File // guarded by mu; nil until the first
	size int64    // guarded by mu
	last uint64   // guarded by mu: number of the newest change that is noted
}

// lineSize is the size of what is noted of a removal: its inode's number.
const lineSize = 8

// add notes that an inode was removed, as the change of a number.
func (r *removals) add(ino Ino, change uint64) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.f == nil {
		if r.f, err = os.OpenFile(r.path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			return err
		}
	}
	if _, err := r.f.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(ino)), r.size); err != nil {
		return err
	}
	step("removal noted")
	r.size += lineSize
	r.last = max(r.last, change)
	return nil
}

// written empties the log once the rows of all that is in it are written: all
// changes up to a number are.
func (r *removals) written(upto uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size == 0 || r.last > upto {
		return
	}
	if err := os.Truncate(r.path, 0); err == nil { // else it stays: no number is given twice
		r.size = 0
	}
}

// left returns what an earlier run has noted.
func (r *removals) left() (inodes []Ino, err error) {
	content, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r.size = int64(len(content) / lineSize * lineSize)
	for line := range slices.Chunk(content[:r.size], lineSize) {
		inodes = append(inodes, Ino(binary.LittleEndian.Uint64(line)))
	}
	return inodes, err
}

func (r *removals) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.f != nil {
		_ = r.f.Close() // nothing is buffered
		r.f = nil
	}
}

// noteRemoved sees to it that n, which was removed here as the change of a
// number, is not there again after a kill. What others of its names still lead
// to is not removed: there its row is waited for.
func (s *Store) noteRemoved(n *node, change uint64) error {
	s.mu.RLock()
	named := n.parent != nil
	s.mu.RUnlock()
	if !named {
		err := s.removals.add(n.ino, change)
		if errors.Is(err, syscall.ENOSPC) && s.ballast.drop() {
			err = s.removals.add(n.ino, change)
		}
		if err == nil {
			return nil
		}
	}
	return s.table.kept(change)
}

// loadRemovals drops what an earlier run had removed, unless the machine has
// ended since.
func (s *Store) loadRemovals(rebooted bool, left map[Ino][]uint64) error {
	if !rebooted {
		return s.removeLeft(left)
	}
	if err := os.Remove(s.removals.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeLeft drops what an earlier run had removed without writing its rows any
// more: the inodes, and their spools, which are among left. A directory that
// holds something again, since the rename that had emptied it was not written
// either, stays.
func (s *Store) removeLeft(left map[Ino][]uint64) error {
	inodes, err := s.removals.left()
	if err != nil {
		return err
	}
	removed := make(map[Ino]bool, len(inodes))
	for _, ino := range inodes {
		removed[ino] = true
		s.lastIno = max(s.lastIno, ino) // whoever gets its number would go with the next kill
	}
	for ino := range removed {
		if n := s.nodes[ino]; n != nil && n.atService() {
			continue // GetTree tells
		}
		for _, serial := range left[ino] {
			if err := os.Remove(s.spools.file(ino, serial)); err != nil {
				return err
			}
		}
		delete(left, ino)
		s.dropLeft(ino, removed)
	}
	s.removals.last = s.dirtied
	return nil
}

// dropLeft takes the names of one of the removed inodes, if there is nothing in
// it, and of those that it lay in.
func (s *Store) dropLeft(ino Ino, removed map[Ino]bool) {
	for n := s.nodes[ino]; n != nil && removed[n.ino] && !n.atService() && len(n.children) == 0; {
		in := n.parent
		for len(n.also) > 0 {
			s.removeLocked(n, n.also[0])
		}
		s.unlinkLocked(n)
		n = in
	}
}
