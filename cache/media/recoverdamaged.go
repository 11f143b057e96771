package media

import (
	"paperfs/cache/media/failed"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// This file is about content of an earlier run that is not as long as its row tells:
// the machine lost its power, or somebody changed or removed its file. It is never
// sent, nor shown as if it were whole.

// sizeUnknown is what there is to know of content that has no row.
var sizeUnknown = journal.Spool{Size: -1}

// setDamagedAside moves to failed/ what is left of content of n, which is queued or
// scratch and was size bytes long.
func (s *Store) setDamagedAside(n *tree.Node, sp *spool.File, size int64) error {
	reason := failed.Damaged(sp.Size, size, s.spools.Path)
	s.o.Log.Error("content that the disk has lost a part of is in failed/", "path", n.Path(), "error", reason)
	if err := s.failures.Add(sp.Path, failed.EntryOf(n, sp.Size, reason)); err != nil {
		return err
	}
	if n.Local() {
		s.dropNames(n)
	}
	return nil
}

// recoverGone tells of content that is not in the spool at all: an empty entry of
// failed/ does. Of what is queued and went to failed/ just before the end there is
// nothing to tell.
func (s *Store) recoverGone(rows map[Ino]journal.Spool) error {
	for ino, was := range rows {
		n := s.nodes[ino]
		if n == nil || was.Size <= 0 || !n.Queued() && !n.Local() || n.Body().Spool != nil || s.failures.Has(spool.Name(ino, was.Serial)) {
			continue
		}
		if was.Serial == 0 && s.failures.HasPart(ino, n.Path()) { // the row of scratch names no spool
			if n.Local() {
				s.dropNames(n)
			}
			continue
		}
		sp, err := s.spools.Create(ino)
		if err != nil {
			return err
		}
		sp.Close()
		if err := s.setDamagedAside(n, sp, was.Size); err != nil {
			return err
		}
	}
	return nil
}

// dropNames takes the names of n, whose content is in failed/.
func (s *Store) dropNames(n *tree.Node) {
	for len(n.Also) > 0 {
		s.removeLocked(n, n.Also[0])
	}
	s.unlinkLocked(n)
}
