package media

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"slices"
	"strconv"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// unfinished is the reason recorded for content that an earlier run left in the spool.
// Nothing tells whether a close was in progress, nor how an upload ended.
var unfinished = tree.Partial(errors.New("the mount ended before the file was closed, or while it was being sent: the service may have it"))

// recover assigns the spools of an earlier run to their inodes. Scratch and queued content
// stays, published content moves to the cache, and content that was being written moves to
// failed/. rows are the recorded spools. It runs before the store is used.
func (s *Store) recover(leftovers map[Ino][]uint64, rows map[Ino]journal.Spool) error {
	newest := func(ino Ino) uint64 { return slices.Max(slices.Concat(leftovers[ino], []uint64{0})) }
	// The newest content first: failed/ keeps older content of a place beside it.
	newestFirst := slices.SortedFunc(maps.Keys(leftovers), func(a, b Ino) int { return cmp.Compare(newest(b), newest(a)) })
	for _, local := range []bool{true, false} { // local files first: sidecar files may have to move with their database
		for _, ino := range newestFirst {
			serials := leftovers[ino]
			if n := s.nodes[ino]; local != (n != nil && n.Local()) {
				continue
			}
			if err := s.recoverSpools(ino, serials, rows); err != nil {
				return err
			}
			delete(leftovers, ino)
		}
	}
	if err := s.recoverGone(rows); err != nil {
		return err
	}
	var queued []*tree.Node
	for _, n := range s.nodes {
		switch {
		case n.Lost != "":
			s.saveLocked(n)
			delete(s.nodes, n.Ino)
		case n.PDF != nil && n.Body().Spool == nil:
			s.unlinkLocked(n)
		case n.Queued() && (n.Kind == Directory || n.Body().Spool != nil):
			queued = append(queued, n)
		case n.Kind == File && !n.Local() && (n.Queued() || n.Pub.ID == 0):
			if err := s.recoverSidecars(n); err != nil {
				return err
			}
			s.revert(n)
		}
	}
	slices.SortFunc(queued, func(a, b *tree.Node) int { return cmp.Compare(a.Ino, b.Ino) })
	for _, n := range queued {
		s.toTwinLocked(n)
		s.setQueuedLocked(n, true)
		if n.Kind == File {
			sp := n.Body().Pending
			n.Delivery.Spool, n.Delivery.Size, n.Delivery.Kept = sp.Serial, sp.Size, sp.Kept
		}
	}
	return nil
}

// claim returns the spools that were found by the inodes whose rows name them; those of no row are at number 0.
func (s *Store) claim(found []uint64, rows map[Ino]journal.Spool) map[Ino][]uint64 {
	leftovers := map[Ino][]uint64{0: found}
	for ino, row := range rows {
		for _, serial := range []uint64{row.Serial, row.Draft} {
			s.spools.Used(serial)
			if i := slices.Index(leftovers[0], serial); i >= 0 {
				leftovers[0] = slices.Delete(leftovers[0], i, i+1)
				leftovers[ino] = append(leftovers[ino], serial)
			}
		}
	}
	return leftovers
}

// recoverSpools handles the spools of one inode, the newest first, so that it gets the path in failed/.
func (s *Store) recoverSpools(ino Ino, serials []uint64, rows map[Ino]journal.Spool) error {
	n, was := s.nodes[ino], sizeUnknown
	if n == nil || n.Kind != File || n.Lost != "" {
		return s.failStrayed(n, serials)
	}
	slices.Sort(serials)
	newest := serials[len(serials)-1]
	if row, told := rows[ino]; told {
		was = row
	}
	waits := n.Queued() && slices.Contains(serials, was.Serial)
	if waits || n.Local() {
		delete(rows, ino) // it exists, complete or not
	}
	for _, serial := range slices.Backward(serials) {
		path := s.spools.PathOf(serial)
		replaced := serial != newest && (n.PDF == nil || serial < was.Serial)
		if replaced && !(waits && serial == was.Serial) {
			if err := os.Remove(path); err != nil {
				return err
			}
			continue
		}
		sp, modTime, err := s.spools.Found(path)
		switch {
		case err != nil:
		case waits && serial == was.Serial:
			err = s.recoverQueued(n, sp, was)
		case n.PDF != nil:
			err = s.recoverUnsent(n, sp, modTime)
		default:
			err = s.recoverNewest(n, sp, waits, was)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// recoverQueued queues sp again; was is what the row of n recorded about it.
func (s *Store) recoverQueued(n *tree.Node, sp *spool.File, was journal.Spool) error {
	if sp.Size != was.Size {
		return s.failDamaged(n, sp, was.Size)
	}
	if n.PDF != nil && !n.PDF.Again {
		if sent, err := s.isPublished(n, sp); sent || err != nil {
			s.keepSent(n, sp, n.Pub.SHA256.String())
			return err
		}
	}
	sp.Kept = was.Kept
	b := n.Body()
	b.Spool, b.Pending, b.Gen, b.Queued = sp, sp, 1, 1
	n.Own().Size, n.Written = sp.Size, true
	n.Own().Draft = sp.Serial
	if was.Draft != sp.Serial { // it named a newer spool, which goes to failed/
		s.saveLocked(n)
	}
	return nil
}

// failStrayed moves spools without a name to failed/. n has their last path; it is nil if a kill came
// before their row was written.
func (s *Store) failStrayed(n *tree.Node, serials []uint64) error {
	for _, serial := range serials {
		sp, modTime, err := s.spools.Found(s.spools.PathOf(serial))
		if err != nil {
			return err
		}
		s.getTree.stale = true // an upload of it may have taken effect
		if sp.Size == 0 {
			s.spools.Drop(sp)
			continue
		}
		path := failed.Unnamed + strconv.FormatUint(serial, 10)
		if n != nil && n.Lost != "" {
			path = n.Lost
			published, err := s.isPublished(n, sp)
			if err != nil {
				return err
			}
			if published { // others have replaced it since
				s.spools.Drop(sp)
				continue
			}
		}
		err = s.failures.Add(sp.Path, failed.Entry{Path: path, Reason: unfinished.Reason.Error(),
			Size: sp.Size, Mode: 0o600, ModTime: modTime, Unfinished: true})
		if err != nil {
			return err
		}
	}
	return nil
}

// noteInterrupted records that an upload of n, which may be nil, may have been in progress when
// an earlier run ended, so that it may still take effect.
func (s *Store) noteInterrupted(n *tree.Node) error {
	if n == nil || n.Kind != File || n.Parent == nil || !n.Parent.Made() {
		return nil
	}
	at := journal.NameAt(n.Parent.ID, n.Name)
	sent := s.unknown[at] // of earlier uploads: nobody has measured what this one sent
	s.unknown[at] = sent
	return journal.NoteUnknown(s.o.State.DB(), at, sent)
}

// recoverNewest handles the newest content of n, which is not queued; older content may be. was is what
// the row of n recorded; scratch is at least as long.
func (s *Store) recoverNewest(n *tree.Node, sp *spool.File, olderQueued bool, was journal.Spool) error {
	if !n.Local() {
		s.getTree.stale = true // an upload of it may have taken effect
		if err := s.noteInterrupted(n); err != nil {
			return err
		}
	}
	switch {
	case sp.Size == 0 && !n.Local() && (olderQueued || n.Pub.ID == 0):
		s.spools.Drop(sp) // created or truncated, and still empty
		return nil
	case olderQueued:
		if err := s.recoverSidecars(n); err != nil {
			return err
		}
		return s.failUnfinished(n, sp)
	case n.Local() && sp.Size < was.Size:
		return s.failDamaged(n, sp, was.Size)
	}
	if n.Queued() { // its spool was dropped before its row was written
		s.setQueuedLocked(n, false)
		n.On(tree.Reverted)
	}
	published, err := s.isPublished(n, sp)
	if err != nil {
		return err
	}
	n.Own().Size = sp.Size
	switch {
	case published:
		s.cache(sp.Path, n.Pub)
		s.room.Give(sp.Size)
	case n.Local():
		n.Body().Spool, n.Own().Draft, n.Written = sp, sp.Serial, true
		if sp.Size != was.Size || sp.Serial != was.Serial {
			s.saveLocked(n) // begun or written just before the crash
		}
	default:
		n.On(tree.Written)
		if err := s.recoverSidecars(n); err != nil {
			return err
		}
		if err := s.failUnfinished(n, sp); err != nil {
			return err
		}
		s.revert(n)
	}
	return nil
}

// revert shows the service's version of n again, or removes its name if there is none.
func (s *Store) revert(n *tree.Node) {
	if n.Pub.ID == 0 {
		s.unlinkLocked(n)
		return
	}
	s.setQueuedLocked(n, false)
	n.On(tree.Reverted)
	n.Written, n.Mtime = false, n.Pub.ModTime
	s.saveLocked(n)
}

// failUnfinished moves content that was being written to failed/.
func (s *Store) failUnfinished(n *tree.Node, sp *spool.File) error {
	return s.failures.Add(sp.Path, failed.EntryOf(n, sp.Size, unfinished))
}

// isPublished reports whether a spool has the same content as the service: the run ended
// between the upload and the last release.
func (s *Store) isPublished(n *tree.Node, sp *spool.File) (bool, error) {
	if n.Pub.ID == 0 || !n.Pub.SHA256.Known() || n.Pub.Size != sp.Size {
		return false, nil
	}
	f, err := os.Open(sp.Path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	sum, _, err := contentcache.SumOf(f)
	return inode.DigestOf(sum) == n.Pub.SHA256, err
}

// The rest of this file handles content whose length differs from its row: the machine lost
// power, or someone changed or removed the file. Such content is never sent, nor shown as if it
// were complete.

// sizeUnknown describes content without a row.
var sizeUnknown = journal.Spool{Size: -1}

// failDamaged moves the rest of n's content, which is queued or scratch and had size bytes,
// to failed/.
func (s *Store) failDamaged(n *tree.Node, sp *spool.File, size int64) error {
	why := failed.Damaged(sp.Size, size, s.spools.Path)
	s.o.Log.Error("damaged content moved to failed/", "path", n.Path(), "error", why.Reason)
	if err := s.failures.Add(sp.Path, failed.EntryOf(n, sp.Size, why)); err != nil {
		return err
	}
	if n.Local() {
		s.dropNames(n)
	}
	return nil
}

// recoverGone adds an empty entry to failed/ for content that is missing from the spool. Content
// that moved to failed/ or was removed just before the crash needs none.
func (s *Store) recoverGone(rows map[Ino]journal.Spool) error {
	for ino, was := range rows {
		n := s.nodes[ino]
		if n == nil || was.Size <= 0 || !n.Queued() && !n.Local() || n.Body().Spool != nil {
			continue
		}
		name := spool.Name(was.Serial)
		if s.failures.Has(name) || s.spools.Disowned(name) {
			if n.Local() {
				s.dropNames(n)
			}
			continue
		}
		if n.PDF != nil && !n.PDF.Again && n.Pub.ID != 0 && n.Pub.Size == was.Size {
			continue // it was sent
		}
		sp, err := s.spools.Create()
		if err != nil {
			return err
		}
		sp.Close()
		if err := s.failDamaged(n, sp, was.Size); err != nil {
			return err
		}
	}
	return nil
}
