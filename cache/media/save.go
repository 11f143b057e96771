package media

import (
	"database/sql"
	"time"
)

// statements are those that write rows.
type statements struct{ unname, name, keep, forget, used, copy, uncopy *sql.Stmt }

const (
	dropOtherName = "DELETE FROM media_name WHERE ino = ?1 AND (parent <> ?2 OR name <> ?3)"
	upsertName    = `INSERT INTO media_name (parent, name, ino) VALUES (?,?,?)
	ON CONFLICT (parent, name) DO UPDATE SET ino = excluded.ino WHERE ino <> excluded.ino`
	dropInode   = "DELETE FROM media_inode WHERE ino = ?"
	useNumber   = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'media_inode'"
	addCopy     = "INSERT INTO media_copy (ino, content) VALUES (?,?)"
	removeCopy  = "DELETE FROM media_copy WHERE ino = ?"
	upsertInode = `INSERT INTO media_inode
	(ino, kind, local, queued, spool, service_id, size, size_kb, sha256, url, sent_mtime, mode, uid, gid, atime, mtime, ctime, target)
	VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
	ON CONFLICT (ino) DO UPDATE SET local = excluded.local, queued = excluded.queued, spool = excluded.spool, service_id = excluded.service_id,
	size = excluded.size, size_kb = excluded.size_kb, sha256 = excluded.sha256, url = excluded.url, sent_mtime = excluded.sent_mtime,
	mode = excluded.mode, uid = excluded.uid, gid = excluded.gid, atime = excluded.atime, mtime = excluded.mtime,
	ctime = excluded.ctime, target = excluded.target`
)

func prepare(db *sql.DB) (*statements, error) {
	var s statements
	for into, text := range map[**sql.Stmt]string{&s.unname: dropOtherName, &s.name: upsertName, &s.keep: upsertInode, &s.forget: dropInode,
		&s.used: useNumber, &s.copy: addCopy, &s.uncopy: removeCopy} {
		var err error
		if *into, err = db.Prepare(text); err != nil {
			return nil, err
		}
	}
	return &s, nil
}

// save writes rows in one transaction.
func (t *table) save(rows []row) (err error) {
	if len(rows) == 0 {
		return nil
	}
	if t.sql == nil {
		if t.sql, err = prepare(t.state.DB()); err != nil {
			return err
		}
	}
	err = t.state.Unsynced(func(tx *sql.Tx) error {
		defer step("rows to be written")
		return t.sql.in(tx).save(rows)
	})
	step("rows written")
	return err
}

// in are the statements for use in a transaction.
func (s *statements) in(tx *sql.Tx) *statements {
	return &statements{tx.Stmt(s.unname), tx.Stmt(s.name), tx.Stmt(s.keep), tx.Stmt(s.forget), tx.Stmt(s.used), tx.Stmt(s.copy), tx.Stmt(s.uncopy)}
}

func (s *statements) save(rows []row) error {
	var last Ino             // of those that go
	for _, r := range rows { // first of all, since a name may pass from one row to another
		parent := r.parent
		if r.gone {
			parent, last = 0, max(last, r.ino)
		}
		if _, err := s.unname.Exec(r.ino, parent, r.name); err != nil {
			return err
		}
	}
	for _, r := range rows {
		if err := s.saveRow(r); err != nil {
			return err
		}
	}
	if last == 0 {
		return nil
	}
	// A number whose inode came and went between two transactions is used, too.
	_, err := s.used.Exec(last)
	return err
}

func (s *statements) saveRow(r row) error {
	if r.gone || r.uncopy {
		if _, err := s.uncopy.Exec(r.ino); err != nil {
			return err
		}
	}
	if r.gone {
		_, err := s.forget.Exec(r.ino)
		return err
	}
	if r.copied != nil {
		if _, err := s.copy.Exec(r.ino, r.copied); err != nil {
			return err
		}
	}
	_, err := s.keep.Exec(r.ino, r.kind, r.local, r.queued, r.spool, r.id, r.size, r.kb, r.sha256, r.url, nano(r.sentMtime),
		r.mode, r.uid, r.gid, nano(r.atime), nano(r.mtime), nano(r.ctime), r.target)
	if err != nil || r.ino == Root {
		return err
	}
	for _, n := range append(r.also, rowName{r.parent, r.name}) {
		if _, err := s.name.Exec(n.parent, n.name, r.ino); err != nil {
			return err
		}
	}
	return nil
}

// load reads all rows, one a name, and the greatest number that was ever given.
func (t *table) load() (rows []row, last Ino, err error) {
	found, err := t.state.DB().Query(`SELECT i.ino, coalesce(n.parent, 0), coalesce(n.name, ''), kind, local, queued, spool, service_id, size, size_kb,
		sha256, url, sent_mtime, mode, uid, gid, atime, mtime, ctime, target
		FROM media_inode i LEFT JOIN media_name n ON n.ino = i.ino`)
	if err != nil {
		return nil, 0, err
	}
	defer found.Close()
	for found.Next() {
		var r row
		var sent, atime, mtime, ctime int64
		if err := found.Scan(&r.ino, &r.parent, &r.name, &r.kind, &r.local, &r.queued, &r.spool, &r.id, &r.size, &r.kb, &r.sha256, &r.url,
			&sent, &r.mode, &r.uid, &r.gid, &atime, &mtime, &ctime, &r.target); err != nil {
			return nil, 0, err
		}
		r.sentMtime, r.atime, r.mtime, r.ctime = fromNano(sent), fromNano(atime), fromNano(mtime), fromNano(ctime)
		rows = append(rows, r)
	}
	if err := found.Err(); err != nil {
		return nil, 0, err
	}
	err = t.state.DB().QueryRow("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'media_inode'").Scan(&last)
	return rows, last, err
}

// nano is a time in the database; the zero time is 0.
func nano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromNano(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n)
}
