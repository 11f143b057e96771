package media

import (
	"errors"
	"time"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// errUnsent is the reason recorded for a PDF that an earlier run left.
var errUnsent = errors.New("the mount ended before this was written and sent; if it was being sent just then, the service may have it")

// errStillTemporary is the reason for a PDF that still had a temporary name, and so was never
// sent.
var errStillTemporary = errors.New("it had a temporary name when the mount ended, and was not sent")

// loadPDFs loads the rows of PDFs, with what was last sent for their papers, and adds the spools that
// they name to rows.
func (s *Store) loadPDFs(rows map[Ino]journal.Spool) error {
	list, err := journal.LoadPDFs(s.o.State.DB())
	for _, row := range list {
		row.MayBeThere = row.Seen == ""
		n := s.addPDFLocked(row.Ino, row.PDF)
		n.Own().Handles, n.Own().Draft = 0, row.Spool.Draft
		n.Mtime = row.Written
		s.lastIno = max(s.lastIno, n.Ino)
		s.dirtyPDFs[n.Ino] = n
		if s.o.SentPDF != nil {
			sum, size, err := s.o.SentPDF(row.Paper)
			if err != nil {
				return err
			}
			if sum != "" {
				n.Pub = tree.SentPDF(sum, size)
			}
		}
		if row.Spool.Serial != 0 && !s.spools.Disowned(spool.Name(row.Spool.Serial)) { // otherwise it was removed from the queue, but its row could not be written
			n.On(tree.Enqueued)
		} else {
			row.Spool.Serial = 0
		}
		rows[n.Ino] = row.Spool
	}
	return err
}

// recoverPDF handles content of a PDF that was not queued. Sent content moves to the cache, other content
// to failed/.
func (s *Store) recoverPDF(n *tree.Node, sp *spool.File, modTime time.Time) error {
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
	reason := errUnsent
	if s.temporary(n.PDF.Path) {
		reason = errStillTemporary
	}
	e := failed.EntryOf(n, sp.Size, tree.Partial(reason))
	e.ModTime = modTime
	return s.failures.Add(sp.Path, e)
}
