package draft

import (
	"time"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/state"
)

// record tells the next mount what a draft is, should this one be killed. A row
// whose content is not in the spool means nothing, unless that is queued: then it was lost.
type record struct {
	ino   inode.Ino // a number of its own: its files in the spool have it in their names
	paper int64
	path  string // where it is meant to go, from the root of the mount, with a slash before it

	spool   uint64    // serial of the content that a close has queued, 0: nothing is
	size    int64     // of that, 0 where an earlier version has not kept it
	kept    string    // of that, as of a spool.File
	dir     int64     // the category of a PDF beside a paper that is queued, 0: it is source.pdf
	written time.Time // what is queued
	again   bool      // what is queued may equal what was sent before it
	isNew   bool      // there was no paper of its name when it was written: one that others make is not replaced
	making  bool      // an attempt may have made the paper
	seen    string    // what the paper was known to have when it was queued (Queuing)
}

// note writes the row of a draft, which outlives the process from then on, and
// the machine's end after Fsync.
func (s *Set) note(d record) error {
	err := s.o.State.Unsynced(state.Statement{
		Text: "INSERT OR REPLACE INTO media_draft (ino, paper, path, spool, dir, written, again, isnew, making, size, seen, measured) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
		Args: []any{d.ino, d.paper, d.path, d.spool, d.dir, nanoseconds(d.written), d.again, d.isNew, d.making, d.size, d.seen, d.kept},
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

// forget removes the row of a draft whose content has left the spool.
func (s *Set) forget(d record) {
	err := s.o.State.Unsynced(state.Statement{Text: "DELETE FROM media_draft WHERE ino = ?", Args: []any{d.ino}})
	if err != nil {
		s.o.Log.Warn("the row of a PDF that was written stays until the next mount", "path", d.path, "error", err)
	}
}

func (s *Set) records() (drafts []record, err error) {
	rows, err := s.o.State.DB().Query("SELECT ino, paper, path, spool, dir, written, again, isnew, making, size, seen, measured FROM media_draft ORDER BY ino")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d record
		var written int64
		if err := rows.Scan(&d.ino, &d.paper, &d.path, &d.spool, &d.dir, &written, &d.again, &d.isNew, &d.making, &d.size, &d.seen, &d.kept); err != nil {
			return nil, err
		}
		if written != 0 {
			d.written = time.Unix(0, written)
		}
		drafts = append(drafts, d)
	}
	return drafts, rows.Err()
}
