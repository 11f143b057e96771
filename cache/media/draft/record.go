package draft

import (
	"time"

	"paperfs/cache/content/journal"
	"paperfs/cache/state"
)

// note writes the row of a draft. The row survives a kill at once, and a power loss after
// Fsync.
func (s *Set) note(d record) error {
	err := s.o.State.Unsynced(state.Statement{
		Text: "INSERT OR REPLACE INTO media_draft (ino, paper, path, spool, dir, written, again, isnew, making, size, seen, measured) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
		Args: []any{d.ino, d.paper, d.path, d.spool, d.dir, nanoseconds(d.written), d.again, d.isNew, d.making, d.size, d.seen, d.kept},
	})
	if err != nil {
		return &journal.Unsaved{What: "the destination of a PDF", Err: err}
	}
	return nil
}

// nanoseconds returns the nanoseconds since 1970, 0 for the zero time.
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
		s.o.Log.Warn("cannot delete the row of a PDF; the next mount does", "path", d.path, "error", err)
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

// For changes the destination of the draft.
func (d *Draft) For(paper int64, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paper, d.path = paper, path
	if d.spool == nil {
		return nil
	}
	return d.set.note(d.record)
}
