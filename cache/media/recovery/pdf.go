package recovery

import (
	"cmp"
	"errors"
	"path"
	"strconv"
	"strings"
	"time"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/queue"
)

// loadPDFs loads the rows of files below papers/, with what was last sent for their papers, and adds the spools that
// they name to rows. They have no place in a twin before their content is found.
func (s *Recovery) loadPDFs(rows map[inode.Ino]journal.Spool) error {
	list, err := journal.LoadPDFs(s.o.State.DB())
	for _, row := range list {
		row.MayBeThere = row.Seen == ""
		n := tree.NewNode(row.Ino, inode.File)
		n.Mode, n.UID, n.GID, n.Mtime = 0o644, inode.Owner, inode.Owner, row.Written
		n.Own().PDF, n.Own().Draft = &row.PDF, row.Spool.Draft
		s.names.Nodes[n.Ino], s.names.LastIno = n, max(s.names.LastIno, n.Ino)
		s.names.Papers.Attach(strconv.FormatUint(uint64(n.Ino), 10), n)
		s.names.LoadedPDF(n)
		sent, err := s.names.SentVersion(row.Paper)
		if err != nil {
			return err
		}
		n.Pub = sent
		if row.Spool.Serial != 0 && !s.bodies.Spools.Disowned(spool.Name(row.Spool.Serial)) { // otherwise it was removed from the queue, but its row could not be written
			n.On(tree.Enqueued)
		} else {
			row.Spool.Serial = 0
		}
		rows[n.Ino] = row.Spool
	}
	return err
}

// toTwinLocked gives a queued PDF of an earlier run its place; Tree.Mu must be held, or the store not be used yet.
func (s *Recovery) toTwinLocked(n *tree.Node) {
	if n.PDF == nil {
		return
	}
	twin, name := s.names.TwinLocked(cmp.Or(n.PDF.Paper, n.PDF.Dir)), names.Source
	if n.PDF.Paper == 0 {
		name = strings.TrimSuffix(path.Base(n.PDF.Path), path.Ext(n.PDF.Path)) + path.Ext(names.Source)
	}
	if !twin.Has(name) { // otherwise it keeps the place that it has: nobody sees it, but it is sent
		n.Detach()
		twin.Attach(name, n)
	}
}

// recoverUnsent handles content below papers/ that was not queued. Sent content moves to the cache, other content
// to failed/.
func (s *Recovery) recoverUnsent(n *tree.Node, sp *spool.File, modTime time.Time) error {
	sent, err := s.isPublished(n, sp)
	switch {
	case err != nil:
		return err
	case sent:
		s.bodies.KeepSent(n, sp, n.Pub.SHA256.String())
		return nil
	case sp.Size == 0:
		s.bodies.Spools.Drop(sp)
		return nil
	}
	why := Unfinished
	if s.names.Temporary(n.PDF.Path) {
		why = tree.Partial(errors.New("it had a temporary name when the mount ended; if it was being renamed to the name of a PDF just then, the service may have it"))
	}
	e := failed.EntryOf(n, sp.Size, why)
	e.ModTime = modTime
	return s.bodies.Failures.Add(sp.Path, e)
}

// failPDFs moves the PDFs that are queued to failed/.
func (s *Recovery) failPDFs(reason error) (err error) {
	s.names.Mu.RLock()
	list := s.names.PDFsLocked()
	s.names.Mu.RUnlock()
	for _, n := range list {
		s.names.Mu.RLock()
		d := n.Delivery
		s.names.Mu.RUnlock()
		if d != nil && err == nil {
			err = s.queue.FailFile(n, d, tree.Verdict{Reason: reason, Gen: queue.AnyGen})
		}
	}
	return err
}
