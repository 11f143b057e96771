package media

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// errUnfinished is the reason of what an earlier run left in the spool.
var errUnfinished = errors.New("the mount ended before the file was closed; what was written until then was not published")

// recover gives each spool file that an earlier run left to its inode: scratch
// and queued files go on, what was published goes to the cache, and what was
// being written goes to failed/. It runs before anything else.
func (s *Store) recover() error {
	left, err := s.leftSpools()
	if err != nil {
		return err
	}
	for ino, path := range left {
		if err := s.recoverSpool(ino, path); err != nil {
			return err
		}
	}
	var queued []*node
	for _, n := range s.nodes {
		switch {
		case n.queued && (n.kind == Directory || n.body.spool != nil):
			queued = append(queued, n)
		case n.queued && n.pub.id != 0:
			s.setQueued(n, false)
			n.mtime = n.pub.modTime
			s.keep(n)
		case n.kind == File && !n.local && n.pub.id == 0:
			s.unlink(n) // made, and nothing written to it
		}
	}
	slices.SortFunc(queued, func(a, b *node) int { return cmp.Compare(a.ino, b.ino) })
	for _, n := range queued {
		s.setQueued(n, true)
		n.delivery.patient = true
	}
	return nil
}

// leftSpools finds the newest spool file of each inode and removes older ones.
func (s *Store) leftSpools() (map[Ino]string, error) {
	entries, err := os.ReadDir(s.spools.dir)
	if err != nil {
		return nil, err
	}
	newest := make(map[Ino]uint64)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), disownedEnd) {
			if err := os.Remove(filepath.Join(s.spools.dir, e.Name())); err != nil {
				return nil, err
			}
			continue
		}
		ino, serial, ok := spoolName(e.Name())
		if !ok {
			continue
		}
		newest[ino] = max(newest[ino], serial)
		s.spools.serial.Store(max(s.spools.serial.Load(), serial))
		s.lastIno = max(s.lastIno, ino)
	}
	left := make(map[Ino]string)
	for _, e := range entries {
		ino, serial, ok := spoolName(e.Name())
		path := filepath.Join(s.spools.dir, e.Name())
		switch {
		case !ok:
		case serial == newest[ino]:
			left[ino] = path
		default:
			if err := os.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	return left, nil
}

func spoolName(name string) (ino Ino, serial uint64, ok bool) {
	_, err := fmt.Sscanf(name, "%d-%d", &ino, &serial)
	return ino, serial, err == nil && name == fmt.Sprintf("%d-%d", ino, serial)
}

func (s *Store) recoverSpool(ino Ino, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	sp := &spool{path: path, size: info.Size()}
	s.room.hold(sp.size)
	n := s.nodes[ino]
	if n == nil || n.kind != File {
		return s.failures.add(path, FailedEntry{Path: fmt.Sprintf("unnamed-%d", ino), Reason: errUnfinished.Error(),
			Size: sp.size, Mode: 0o600, ModTime: info.ModTime()})
	}
	published := false
	if !n.queued {
		if published, err = s.isPublished(n, sp); err != nil {
			return err
		}
	}
	n.size = sp.size
	switch {
	case published:
		if err := s.contents.adopt(path, n.pub.sha256); err != nil {
			s.o.Log.Warn("published content is not kept for reading", "error", err)
		}
		s.room.give(sp.size)
	case n.local || n.queued:
		n.body.spool, n.written = sp, true
		if n.queued {
			n.dirty = true
			n.body.gen, n.body.queued = 1, 1
		}
	case n.pub.id == 0 && sp.size == 0:
		s.spools.drop(sp) // made, and nothing in it
	default:
		n.dirty = true
		return s.recoverUnfinished(n, sp)
	}
	return nil
}

// recoverUnfinished moves what was being written to failed/.
func (s *Store) recoverUnfinished(n *node, sp *spool) error {
	err := s.failures.add(sp.path, FailedEntry{Path: n.path(), Reason: errUnfinished.Error(), Size: sp.size, Mode: n.mode, ModTime: n.mtime})
	if err != nil {
		return err
	}
	s.revert(n)
	return nil
}

// isPublished reports whether a spool holds what the service holds: the run
// ended between the upload and the last close.
func (s *Store) isPublished(n *node, sp *spool) (bool, error) {
	if n.pub.id == 0 || n.pub.sha256 == "" || n.pub.size != sp.size {
		return false, nil
	}
	f, err := os.Open(sp.path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	sum, _, err := sumOf(f)
	return strings.EqualFold(sum, n.pub.sha256), err
}
