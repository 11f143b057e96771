package media

import (
	"errors"
	"os"
	"slices"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// errUnsent is the reason recorded for a PDF that an earlier run left.
var errUnsent = errors.New("the mount ended before this was written and sent; if it was being sent just then, the service may have it")

// errStillTemporary is the reason for a PDF that still had a temporary name, and so was never
// sent.
var errStillTemporary = errors.New("it had a temporary name when the mount ended, and was not sent")

// loadPDFs loads the rows of PDFs, and adds the spools that they name to rows.
func (s *Store) loadPDFs(rows map[Ino]journal.Spool) error {
	list, err := journal.LoadPDFs(s.o.State.DB())
	for _, row := range list {
		row.MayBeThere = row.Seen == ""
		n := s.addPDFLocked(row.Ino, row.PDF)
		n.Own().Handles = 0
		n.Mtime = row.Written
		s.lastIno = max(s.lastIno, n.Ino)
		s.dirtyPDFs[n.Ino] = n
		if row.Queued.Serial == 0 || s.spools.Disowned(spool.Name(n.Ino, row.Queued.Serial)) { // it was removed from the queue, but its row could not be written
			continue
		}
		n.On(tree.Enqueued)
		rows[n.Ino] = row.Queued
	}
	return err
}

// recoverPDF handles the spools of a PDF, the newest first, so that it gets the path in failed/. Sent
// content moves to the cache, queued content stays queued, and other content moves to failed/.
func (s *Store) recoverPDF(n *tree.Node, serials []uint64, rows map[Ino]journal.Spool) error {
	slices.Sort(serials)
	was := rows[n.Ino]
	for _, serial := range slices.Backward(serials) {
		sp, modTime, err := s.spools.Found(s.spools.PathOf(serial))
		if err != nil {
			return err
		}
		queued, sum := n.Queued() && serial == was.Serial, ""
		if queued {
			delete(rows, n.Ino)
			sp.Kept = was.Kept
		} else {
			n.Mtime = inode.InstantOf(modTime)
		}
		if whole := !queued || was.Size == 0 || was.Size == sp.Size; whole && !(queued && n.PDF.Again) {
			sum, err = s.sentSum(n, sp)
		}
		switch {
		case err != nil:
		case sum != "":
			s.keepSent(n, sp, sum)
		case queued:
			err = s.recoverQueued(n, sp, was)
		case sp.Size > 0 && serial > was.Serial: // otherwise the queued content has replaced it
			err = s.fail(n, sp.Path, failed.EntryOf(n, sp.Size, tree.Partial(s.unsent(n))))
		default:
			s.spools.Drop(sp)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unsent returns the reason for moving a PDF of an earlier run to failed/.
func (s *Store) unsent(n *tree.Node) error {
	if s.temporary(n.PDF.Path) {
		return errStillTemporary
	}
	return errUnsent
}

// sentSum returns the SHA-256 of the spool's content if it was sent, else "".
func (s *Store) sentSum(n *tree.Node, sp *spool.File) (string, error) {
	if s.o.SentPDF == nil || sp.Size == 0 {
		return "", nil
	}
	want, size, err := s.o.SentPDF(n.PDF.Paper)
	if err != nil || size != sp.Size {
		return "", err
	}
	if measure := remote.MeasureOf(sp.Kept, sp.Size); measure != nil && measure.SHA256() != want {
		return "", nil
	}
	f, err := os.Open(sp.Path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum, _, err := contentcache.SumOf(f)
	if sum != want {
		return "", err
	}
	return sum, err
}

// wasSent reports whether the content of a PDF, of which nothing is here, was sent.
func (s *Store) wasSent(n *tree.Node, was journal.Spool) (bool, error) {
	if n.PDF == nil || n.PDF.Again || s.o.SentPDF == nil {
		return false, nil
	}
	sum, size, err := s.o.SentPDF(n.PDF.Paper)
	return sum != "" && size == was.Size, err
}
