package media

import (
	"cmp"
	"errors"
	"path"
	"strconv"
	"strings"
	"time"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// loadPDFs loads the rows of files below papers/, with what was last sent for their papers, and adds the spools that
// they name to rows. They have no place in a twin before their content is found.
func (s *Store) loadPDFs(rows map[Ino]journal.Spool) error {
	list, err := journal.LoadPDFs(s.o.State.DB())
	for _, row := range list {
		row.MayBeThere = row.Seen == ""
		n := tree.NewNode(row.Ino, File)
		n.Mode, n.UID, n.GID, n.Mtime = 0o644, Owner, Owner, row.Written
		n.Own().PDF, n.Own().Draft = &row.PDF, row.Spool.Draft
		s.nodes[n.Ino], s.lastIno = n, max(s.lastIno, n.Ino)
		s.papers.Attach(strconv.FormatUint(uint64(n.Ino), 10), n)
		s.dirtyPDFs[n.Ino] = n
		sent, err := s.sentVersion(row.Paper)
		if err != nil {
			return err
		}
		n.Pub = sent
		if row.Spool.Serial != 0 && !s.spools.Disowned(spool.Name(row.Spool.Serial)) { // otherwise it was removed from the queue, but its row could not be written
			n.On(tree.Enqueued)
		} else {
			row.Spool.Serial = 0
		}
		rows[n.Ino] = row.Spool
	}
	return err
}

// toTwinLocked gives a queued PDF of an earlier run its place; s.mu must be held, or the store not be used yet.
func (s *Store) toTwinLocked(n *tree.Node) {
	if n.PDF == nil {
		return
	}
	twin, name := s.twinLocked(cmp.Or(n.PDF.Paper, n.PDF.Dir)), Source
	if n.PDF.Paper == 0 {
		name = strings.TrimSuffix(path.Base(n.PDF.Path), path.Ext(n.PDF.Path)) + path.Ext(Source)
	}
	if !twin.Has(name) { // otherwise it keeps the place that it has: nobody sees it, but it is sent
		n.Detach()
		twin.Attach(name, n)
	}
}

// recoverUnsent handles content below papers/ that was not queued. Sent content moves to the cache, other content
// to failed/.
func (s *Store) recoverUnsent(n *tree.Node, sp *spool.File, modTime time.Time) error {
	sent, err := s.isPublished(n, sp)
	switch {
	case err != nil:
		return err
	case sent:
		s.keepSent(n, sp, n.Pub.SHA256.String())
		return nil
	case sp.Size == 0:
		s.spools.Drop(sp)
		return nil
	}
	why := unfinished
	if s.temporary(n.PDF.Path) {
		why = tree.Partial(errors.New("it had a temporary name when the mount ended; if it was being renamed to the name of a PDF just then, the service may have it"))
	}
	e := failed.EntryOf(n, sp.Size, why)
	e.ModTime = modTime
	return s.failures.Add(sp.Path, e)
}

// failPDFs moves the PDFs that are queued to failed/.
func (s *Store) failPDFs(reason error) (err error) {
	s.mu.RLock()
	list := s.pdfsLocked()
	s.mu.RUnlock()
	for _, n := range list {
		s.mu.RLock()
		d := n.Delivery
		s.mu.RUnlock()
		if d != nil && err == nil {
			err = s.failFile(n, d, tree.Verdict{Reason: reason, Gen: anyGen})
		}
	}
	return err
}

// temporary reports whether a path contains a name that stays on this machine.
func (s *Store) temporary(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name != "" && s.o.Names.Local(name, "", func(string) bool { return false }) {
			return true
		}
	}
	return false
}
