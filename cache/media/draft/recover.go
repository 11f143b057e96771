package draft

import (
	"errors"
	"os"
	"slices"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// errUnsent is the reason recorded for a draft that an earlier run left.
var errUnsent = errors.New("the mount ended before this was written and sent; if it was being sent just then, the service may have it")

// errStillTemporary is the reason for a draft that still had a temporary name, and so was never
// sent.
var errStillTemporary = errors.New("it had a temporary name when the mount ended, and was not sent")

// Recover removes the drafts of an earlier run from the leftover spools. Sent content moves to
// the cache, queued content waits for its Publisher, and other content moves to failed/. Of two
// drafts for one path, the later one is newer; it is handled first, so that it gets the path in
// failed/.
func (s *Set) Recover(leftovers map[inode.Ino][]uint64) error {
	drafts, err := s.records()
	if err != nil || len(drafts) == 0 {
		return err
	}
	for _, d := range slices.Backward(drafts) {
		if s.o.Spools.Disowned(spool.Name(d.ino, d.spool)) {
			d.spool = 0 // it was removed from the queue, but its row could not be written
		}
		s.o.Spools.Used(d.spool)
		queued := len(s.requeued)
		serials := leftovers[d.ino]
		slices.Sort(serials)
		if err := s.recoverGone(d, serials); err != nil {
			return err
		}
		for _, serial := range slices.Backward(serials) {
			if err := s.recoverOne(d, s.o.Spools.PathOf(serial)); err != nil {
				return err
			}
		}
		delete(leftovers, d.ino)
		if len(s.requeued) > queued {
			continue
		}
		if _, err := s.o.State.DB().Exec("DELETE FROM media_draft WHERE ino = ?", d.ino); err != nil {
			return err
		}
	}
	slices.Reverse(s.requeued)
	for _, q := range s.requeued {
		s.Outbox.Add(q.Draft, 0)
	}
	return nil
}

// recoverOne handles one spool of a draft.
func (s *Set) recoverOne(d record, path string) error {
	sp, modTime, err := s.o.Spools.Found(path)
	if err != nil {
		return err
	}
	setAside := func(why tree.Verdict) error {
		return s.o.Failures.AddFound(path, failed.Entry{Path: d.path, Reason: why.Reason.Error(), Size: sp.Size, Mode: 0o600, ModTime: modTime, Unfinished: true, Paper: d.paper})
	}
	queued := d.spool == sp.Serial
	if queued && d.size > 0 && sp.Size != d.size {
		return setAside(failed.Damaged(sp.Size, d.size, s.o.Spools.Path))
	}
	if queued {
		sp.Kept = d.kept
	}
	if queued && d.again {
		return s.requeue(d, sp)
	}
	sum, err := s.sentSum(d, sp)
	switch {
	case err != nil:
		return err
	case sum != "":
		s.adopt(sp, sum, d)
		return nil
	case queued:
		return s.requeue(d, sp)
	case sp.Size > 0 && (d.spool == 0 || sp.Serial > d.spool): // otherwise the queued content has replaced it
		return setAside(tree.Partial(s.unsent(d)))
	}
	s.o.Spools.Drop(sp)
	return nil
}

// unsent returns the reason for moving a draft of an earlier run to failed/.
func (s *Set) unsent(d record) error {
	if s.Temporary(d.path) {
		return errStillTemporary
	}
	return errUnsent
}

// sentSum returns the SHA-256 of the spool's content if it was sent, else "".
func (s *Set) sentSum(d record, sp *spool.File) (string, error) {
	if s.o.SentPDF == nil || sp.Size == 0 {
		return "", nil
	}
	want, size, err := s.o.SentPDF(d.paper)
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

// recoverGone adds an empty entry to failed/ if the queued content of a draft is missing.
// serials are those of its spools. Content that was sent, removed, or moved to failed/ just
// before the crash needs no entry.
func (s *Set) recoverGone(d record, serials []uint64) error {
	name := spool.Name(d.ino, d.spool)
	if d.spool == 0 || slices.Contains(serials, d.spool) || s.o.Spools.Disowned(name) || s.o.Failures.Has(name) {
		return nil
	}
	if s.o.SentPDF != nil && !d.again {
		sum, size, err := s.o.SentPDF(d.paper)
		if err != nil || sum != "" && size == d.size {
			return err
		}
	}
	sp, err := s.o.Spools.Create(d.ino)
	if err != nil {
		return err
	}
	sp.Close()
	why := failed.Damaged(0, d.size, s.o.Spools.Path)
	s.o.Log.Error("a queued PDF is lost; see .paperfs/failed", "path", d.path, "error", why.Reason)
	return s.o.Failures.AddFound(sp.Path, failed.Entry{Path: d.path, Reason: why.Reason.Error(), Mode: 0o600, ModTime: s.o.Now(), Unfinished: true, Paper: d.paper})
}
