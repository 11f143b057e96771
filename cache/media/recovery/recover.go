package recovery

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
	"paperfs/cache/media/names"
)

// unfinished is the reason recorded for content that an earlier run left in the spool.
// Nothing tells whether a close was in progress, nor how an upload ended.
var Unfinished = tree.Partial(errors.New("the mount ended before the file was closed, or while it was being sent: the service may have it"))

// recover assigns the spools of an earlier run to their inodes. Scratch and queued content
// stays, published content moves to the cache, and content that was being written moves to
// failed/. rows are the recorded spools. It runs before the store is used.
func (s *Recovery) recover(leftovers map[inode.Ino][]uint64, rows map[inode.Ino]journal.Spool) error {
	newest := func(ino inode.Ino) uint64 { return slices.Max(slices.Concat(leftovers[ino], []uint64{0})) }
	// The newest content first: failed/ keeps older content of a place beside it.
	newestFirst := slices.SortedFunc(maps.Keys(leftovers), func(a, b inode.Ino) int { return cmp.Compare(newest(b), newest(a)) })
	for _, local := range []bool{true, false} { // local files first: sidecar files may have to move with their database
		for _, ino := range newestFirst {
			serials := leftovers[ino]
			if n := s.names.Nodes[ino]; local != (n != nil && n.Local()) {
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
	for _, n := range s.names.Nodes {
		switch {
		case n.Lost != "":
			s.names.SaveLocked(n)
			delete(s.names.Nodes, n.Ino)
		case n.PDF != nil && n.Body().Spool == nil:
			s.names.UnlinkLocked(n)
		case n.Queued() && (n.Kind == inode.Directory || n.Body().Spool != nil):
			queued = append(queued, n)
		case n.Kind == inode.File && !n.Local() && (n.Queued() || n.Pub.ID == 0):
			if err := s.recoverSidecars(n); err != nil {
				return err
			}
			s.revert(n)
		}
	}
	slices.SortFunc(queued, func(a, b *tree.Node) int { return cmp.Compare(a.Ino, b.Ino) })
	for _, n := range queued {
		s.toTwinLocked(n)
		s.names.SetQueuedLocked(n, true)
		if n.Kind == inode.File {
			sp := n.Body().Pending
			n.Delivery.Spool, n.Delivery.Size, n.Delivery.Kept = sp.Serial, sp.Size, sp.Kept
		}
	}
	return nil
}

// claim returns the spools that were found by the inodes whose rows name them; those of no row are at number 0.
func (s *Recovery) claim(found []uint64, rows map[inode.Ino]journal.Spool) map[inode.Ino][]uint64 {
	leftovers := map[inode.Ino][]uint64{0: found}
	for ino, row := range rows {
		for _, serial := range []uint64{row.Serial, row.Draft} {
			s.bodies.Spools.Used(serial)
			if i := slices.Index(leftovers[0], serial); i >= 0 {
				leftovers[0] = slices.Delete(leftovers[0], i, i+1)
				leftovers[ino] = append(leftovers[ino], serial)
			}
		}
	}
	return leftovers
}

// recoverSpools handles the spools of one inode, the newest first, so that it gets the path in failed/.
func (s *Recovery) recoverSpools(ino inode.Ino, serials []uint64, rows map[inode.Ino]journal.Spool) error {
	n, was := s.names.Nodes[ino], sizeUnknown
	if n == nil || n.Kind != inode.File || n.Lost != "" {
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
		path := s.bodies.Spools.PathOf(serial)
		replaced := serial != newest && (n.PDF == nil || serial < was.Serial)
		if replaced && !(waits && serial == was.Serial) {
			if err := os.Remove(path); err != nil {
				return err
			}
			continue
		}
		sp, modTime, err := s.bodies.Spools.Found(path)
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
func (s *Recovery) recoverQueued(n *tree.Node, sp *spool.File, was journal.Spool) error {
	if sp.Size != was.Size {
		return s.failDamaged(n, sp, was.Size)
	}
	if n.PDF != nil && !n.PDF.Again {
		if sent, err := s.isPublished(n, sp); sent || err != nil {
			s.bodies.KeepSent(n, sp, n.Pub.SHA256.String())
			return err
		}
	}
	sp.Kept = was.Kept
	b := n.Body()
	b.Spool, b.Pending, b.Gen, b.Queued = sp, sp, 1, 1
	n.Own().Size, n.Written = sp.Size, true
	n.Own().Draft = sp.Serial
	if was.Draft != sp.Serial { // it named a newer spool, which goes to failed/
		s.names.SaveLocked(n)
	}
	return nil
}

// failStrayed moves spools without a name to failed/. n has their last path; it is nil if a kill came
// before their row was written.
func (s *Recovery) failStrayed(n *tree.Node, serials []uint64) error {
	for _, serial := range serials {
		sp, modTime, err := s.bodies.Spools.Found(s.bodies.Spools.PathOf(serial))
		if err != nil {
			return err
		}
		s.names.GetTree.Stale = true // an upload of it may have taken effect
		if sp.Size == 0 {
			s.bodies.Spools.Drop(sp)
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
				s.bodies.Spools.Drop(sp)
				continue
			}
		}
		err = s.bodies.Failures.Add(sp.Path, failed.Entry{Path: path, Reason: Unfinished.Reason.Error(),
			Size: sp.Size, Mode: 0o600, ModTime: modTime, Unfinished: true})
		if err != nil {
			return err
		}
	}
	return nil
}

// recoverNewest handles the newest content of n, which is not queued; older content may be. was is what
// the row of n recorded; scratch is at least as long.
func (s *Recovery) recoverNewest(n *tree.Node, sp *spool.File, olderQueued bool, was journal.Spool) error {
	if !n.Local() {
		s.names.GetTree.Stale = true // an upload of it may have taken effect
		if err := s.names.NoteInterrupted(n); err != nil {
			return err
		}
	}
	switch {
	case sp.Size == 0 && !n.Local() && (olderQueued || n.Pub.ID == 0):
		s.bodies.Spools.Drop(sp) // created or truncated, and still empty
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
		s.names.SetQueuedLocked(n, false)
		n.On(tree.Reverted)
	}
	published, err := s.isPublished(n, sp)
	if err != nil {
		return err
	}
	n.Own().Size = sp.Size
	switch {
	case published:
		s.bodies.Cache(sp.Path, n.Pub)
		s.bodies.Room.Give(sp.Size)
	case n.Local():
		n.Body().Spool, n.Own().Draft, n.Written = sp, sp.Serial, true
		if sp.Size != was.Size || sp.Serial != was.Serial {
			s.names.SaveLocked(n) // begun or written just before the crash
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
func (s *Recovery) revert(n *tree.Node) {
	if n.Pub.ID == 0 {
		s.names.UnlinkLocked(n)
		return
	}
	s.names.SetQueuedLocked(n, false)
	n.On(tree.Reverted)
	n.Written, n.Mtime = false, n.Pub.ModTime
	s.names.SaveLocked(n)
}

// failUnfinished moves content that was being written to failed/.
func (s *Recovery) failUnfinished(n *tree.Node, sp *spool.File) error {
	return s.bodies.Failures.Add(sp.Path, failed.EntryOf(n, sp.Size, Unfinished))
}

// isPublished reports whether a spool has the same content as the service: the run ended
// between the upload and the last release.
func (s *Recovery) isPublished(n *tree.Node, sp *spool.File) (bool, error) {
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
func (s *Recovery) failDamaged(n *tree.Node, sp *spool.File, size int64) error {
	why := failed.Damaged(sp.Size, size, s.bodies.Spools.Path)
	s.o.Log.Error("damaged content moved to failed/", "path", n.Path(), "error", why.Reason)
	if err := s.bodies.Failures.Add(sp.Path, failed.EntryOf(n, sp.Size, why)); err != nil {
		return err
	}
	if n.Local() {
		s.names.DropNames(n)
	}
	return nil
}

// recoverGone adds an empty entry to failed/ for content that is missing from the spool. Content
// that moved to failed/ or was removed just before the crash needs none.
func (s *Recovery) recoverGone(rows map[inode.Ino]journal.Spool) error {
	for ino, was := range rows {
		n := s.names.Nodes[ino]
		if n == nil || was.Size <= 0 || !n.Queued() && !n.Local() || n.Body().Spool != nil {
			continue
		}
		name := spool.Name(was.Serial)
		if s.bodies.Failures.Has(name) || s.bodies.Spools.Disowned(name) {
			if n.Local() {
				s.names.DropNames(n)
			}
			continue
		}
		if n.PDF != nil && !n.PDF.Again && n.Pub.ID != 0 && n.Pub.Size == was.Size {
			continue // it was sent
		}
		sp, err := s.bodies.Spools.Create()
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

// recoverSidecars moves the sidecar files of n to failed/ if n shows other content than in an
// earlier run. It is called before the content of n moves, so that a kill in between changes
// nothing.
func (s *Recovery) recoverSidecars(n *tree.Node) error {
	for _, b := range names.SidecarsLocked(n) {
		sp := b.Body().Spool
		switch {
		case len(b.Also) > 0:
			s.names.RemoveLocked(b.Node, b.At)
			continue
		case sp == nil && b.Size > 0:
			continue // recoverGone handles it
		case sp == nil:
		case sp.Size == 0:
			s.bodies.Spools.Drop(sp)
		default:
			if err := s.bodies.Failures.Add(sp.Path, failed.EntryOf(b.Node, sp.Size, tree.Verdict{Reason: names.ErrStaleSidecar(b.Path())})); err != nil {
				return err
			}
		}
		b.Body().Spool = nil
		s.names.DropNames(b.Node)
	}
	return nil
}
