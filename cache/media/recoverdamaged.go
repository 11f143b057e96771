package media

import (
	"fmt"
	"slices"

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

// errDamaged is the reason of content that was size bytes long.
func (s *Store) errDamaged(have, size int64) error {
	return failed.Unfinished(fmt.Errorf("%d of its %d bytes were found in %s: the machine lost its power before all of it was on the disk, or somebody changed or removed that file",
		have, size, s.spools.Path))
}

// setDamagedAside moves to failed/ what is left of content of n, which is queued or
// scratch and was size bytes long.
func (s *Store) setDamagedAside(n *tree.Node, sp *spool.File, size int64) error {
	reason := s.errDamaged(sp.Size, size)
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

// recoverGoneDraft is recoverGone of what a draft has queued; serials are those of its spools.
// Of what was sent, removed, or moved to failed/ just before the end there is nothing to tell.
func (s *Store) recoverGoneDraft(d draftRow, serials []uint64) error {
	name := spool.Name(d.ino, d.spool)
	if d.spool == 0 || slices.Contains(serials, d.spool) || s.spools.Disowned(name) || s.failures.Has(name) {
		return nil
	}
	if s.o.SentPDF != nil && !d.again {
		sum, size, err := s.o.SentPDF(d.paper)
		if err != nil || sum != "" && size == d.size {
			return err
		}
	}
	sp, err := s.spools.Create(d.ino)
	if err != nil {
		return err
	}
	sp.Close()
	reason := s.errDamaged(0, d.size)
	s.o.Log.Error("a queued PDF is lost; .paperfs/failed tells of it", "path", d.path, "error", reason)
	return s.failures.Add(sp.Path, failed.Entry{Path: d.path, Reason: reason.Error(), Mode: 0o600, ModTime: s.o.Now(), Unfinished: true, Paper: d.paper})
}

// dropNames takes the names of n, whose content is in failed/.
func (s *Store) dropNames(n *tree.Node) {
	for len(n.Also) > 0 {
		s.removeLocked(n, n.Also[0])
	}
	s.unlinkLocked(n)
}
