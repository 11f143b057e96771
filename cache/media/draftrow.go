package media

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"paperfs/cache/media/contentcache"
	"paperfs/cache/media/failed"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/spool"
	"paperfs/cache/state"
)

// errUnsent is the reason of a draft that an earlier run left.
var errUnsent = errors.New("the mount ended before this was written and sent; if it was being sent just then, the service may have it")

// errStillTemporary is that of one that was on the way to its name: it was never sent.
var errStillTemporary = errors.New("it had a temporary name when the mount ended, and was not sent")

// draftRow tells the next mount what a draft is, should this one be killed. A row
// whose content is not in the spool means nothing, unless that is queued: then it was lost.
type draftRow struct {
	ino   Ino // a number of its own: its files in the spool have it in their names
	paper int64
	path  string // where it is meant to go, from the root of the mount, with a slash before it

	spool   uint64    // serial of the content that a close has queued, 0: nothing is
	size    int64     // of that, 0 where an earlier version has not kept it
	dir     int64     // the category of a PDF beside a paper that is queued, 0: it is source.pdf
	written time.Time // what is queued
	again   bool      // what is queued may equal what was sent before it
	isNew   bool      // there was no paper of its name when it was written: one that others make is not replaced
	making  bool      // an attempt may have made the paper
	seen    string    // what the paper was known to have when it was queued (Queuing)
}

// noteDraft writes the row of a draft, which outlives the process from then on, and
// the machine's end after Fsync.
func (s *Store) noteDraft(d draftRow) error {
	err := s.o.State.Unsynced(state.Statement{
		Text: "INSERT OR REPLACE INTO media_draft (ino, paper, path, spool, dir, written, again, isnew, making, size, seen) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
		Args: []any{d.ino, d.paper, d.path, d.spool, d.dir, nanoseconds(d.written), d.again, d.isNew, d.making, d.size, d.seen},
	})
	if err != nil {
		return &journal.Unsaved{What: "what a PDF is written for", Err: err}
	}
	return nil
}

// nanoseconds since 1970, 0 for the zero time.
func nanoseconds(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixNano()
}

// forgetDraft removes the row of a draft whose content has left the spool.
func (s *Store) forgetDraft(d draftRow) {
	err := s.o.State.Unsynced(state.Statement{Text: "DELETE FROM media_draft WHERE ino = ?", Args: []any{d.ino}})
	if err != nil {
		s.o.Log.Warn("the row of a PDF that was written stays until the next mount", "path", d.path, "error", err)
	}
}

// recoverDrafts takes the drafts of an earlier run out of what is left in the
// spool: what was sent goes to the cache, what is queued waits for its publisher, and else the
// newest content goes to failed/. Of two for one path the later one is newer.
func (s *Store) recoverDrafts(leftovers map[Ino][]uint64) error {
	drafts, err := s.draftRows()
	if err != nil || len(drafts) == 0 {
		return err
	}
	for _, d := range drafts {
		queued := len(s.leftPDFs)
		serials := leftovers[d.ino]
		slices.Sort(serials)
		if err := s.recoverGoneDraft(d, serials); err != nil {
			return err
		}
		for i, serial := range serials {
			if err := s.recoverDraft(d, s.spools.PathOf(d.ino, serial), i == len(serials)-1); err != nil {
				return err
			}
		}
		delete(leftovers, d.ino)
		if len(s.leftPDFs) > queued {
			continue
		}
		if _, err := s.o.State.DB().Exec("DELETE FROM media_draft WHERE ino = ?", d.ino); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) draftRows() (drafts []draftRow, err error) {
	rows, err := s.o.State.DB().Query("SELECT ino, paper, path, spool, dir, written, again, isnew, making, size, seen FROM media_draft ORDER BY ino")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d draftRow
		var written int64
		if err := rows.Scan(&d.ino, &d.paper, &d.path, &d.spool, &d.dir, &written, &d.again, &d.isNew, &d.making, &d.size, &d.seen); err != nil {
			return nil, err
		}
		if written != 0 {
			d.written = time.Unix(0, written)
		}
		drafts = append(drafts, d)
	}
	return drafts, rows.Err()
}

// recoverDraft sees to one content of a draft.
func (s *Store) recoverDraft(d draftRow, path string, newest bool) error {
	sp, modTime, err := s.spools.Found(path)
	if err != nil {
		return err
	}
	queued := d.spool == sp.Serial
	if queued && d.size > 0 && sp.Size != d.size {
		return s.failures.Add(path, failed.Entry{Path: d.path, Reason: s.errDamaged(sp.Size, d.size).Error(), Size: sp.Size, Mode: 0o600, ModTime: modTime,
			Unfinished: true, Paper: d.paper})
	}
	if queued && d.again {
		return s.requeue(d, sp)
	}
	sum, err := s.sentDraft(d, sp)
	switch {
	case err != nil:
		return err
	case sum != "":
		s.adopt(sp, sum, d)
		return nil
	case queued:
		return s.requeue(d, sp)
	case newest && sp.Size > 0:
		return s.failures.Add(path, failed.Entry{Path: d.path, Reason: s.unsent(d).Error(), Size: sp.Size, Mode: 0o600, ModTime: modTime,
			Unfinished: true, Paper: d.paper})
	}
	s.spools.Drop(sp)
	return nil
}

// unsent is why a draft of an earlier run is in failed/.
func (s *Store) unsent(d draftRow) error {
	if s.staysOnTheWay(d.path) {
		return errStillTemporary
	}
	return errUnsent
}

// staysOnTheWay reports whether a path has a name that stays on this machine: a
// draft that is meant to go there has yet to get its name.
func (s *Store) staysOnTheWay(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool {
		return name != "" && s.StaysHere(name, "", func(string) bool { return false })
	})
}

// sentDraft is the SHA-256 of content that was sent, "" of other.
func (s *Store) sentDraft(d draftRow, sp *spool.File) (string, error) {
	if s.o.SentPDF == nil || sp.Size == 0 {
		return "", nil
	}
	want, size, err := s.o.SentPDF(d.paper)
	if err != nil || size != sp.Size {
		return "", err
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

// adopt makes what was sent for something cached content. Where the cache has no room it goes to
// failed/: the service does not give it back. It reports false where it stays in the spool.
func (s *Store) adopt(sp *spool.File, sum string, row draftRow) bool {
	sp.Close()
	err := s.contents.Take(sp.Path, sum)
	if err == nil {
		s.room.Give(sp.Size)
		return true
	}
	s.o.Log.Warn("published content is not kept for reading", "path", row.path, "error", err)
	reason := "the service has this PDF, and does not give it back; it could not be kept where paperfs keeps what it has sent: " + err.Error()
	err = s.failures.Add(sp.Path, failed.Entry{Path: row.path, Reason: reason, Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(), Paper: row.paper, Overtaken: true})
	if err != nil {
		s.o.Log.Error("a PDF that was sent stays in the spool", "path", row.path, "error", err)
	}
	return err == nil
}
