package media

import (
	"database/sql"
	"maps"
	"slices"
	"strconv"
	"time"
)

// unsaved is what is to be written: blocks by their numbers, empty where
// nothing is in one, and copies of content and notes of uploads in the order of
// their changes. When the tree was last asked for is written with what that
// brought, so that no kill leaves the one without the other.
type unsaved struct {
	blocks   map[int64][]byte
	copies   []copyChange
	notes    []noteChange
	treeRead time.Time // zero: as it was written before
}

// copyChange is a copy of an inode's content that comes, or goes where it is
// nil.
type copyChange struct {
	ino     Ino
	content []byte
}

// add puts newer changes on top.
func (u *unsaved) add(newer unsaved) {
	if u.blocks == nil {
		u.blocks = newer.blocks
	} else {
		maps.Copy(u.blocks, newer.blocks)
	}
	u.copies = append(u.copies, newer.copies...)
	u.notes = append(u.notes, newer.notes...)
	if !newer.treeRead.IsZero() {
		u.treeRead = newer.treeRead
	}
}

// statements are those that write.
type statements struct{ keep, drop, copy, uncopy, note, unnote, value *sql.Stmt }

func prepare(db *sql.DB) (*statements, error) {
	var s statements
	for into, text := range map[**sql.Stmt]string{
		&s.keep:   "INSERT INTO media_block (number, inodes) VALUES (?,?) ON CONFLICT (number) DO UPDATE SET inodes = excluded.inodes",
		&s.drop:   "DELETE FROM media_block WHERE number = ?",
		&s.copy:   "INSERT INTO media_copy (ino, content) VALUES (?,?)",
		&s.uncopy: "DELETE FROM media_copy WHERE ino = ?",
		&s.note:   noteUnknown,
		&s.unnote: dropUnknown,
		&s.value:  "INSERT INTO value (key, value) VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
	} {
		var err error
		if *into, err = db.Prepare(text); err != nil {
			return nil, err
		}
	}
	return &s, nil
}

// save writes in one transaction.
func (t *table) save(u unsaved) (err error) {
	if len(u.blocks)+len(u.copies)+len(u.notes) == 0 && u.treeRead.IsZero() {
		return nil
	}
	if t.sql == nil {
		if t.sql, err = prepare(t.state.DB()); err != nil {
			return err
		}
	}
	err = t.state.Unsynced(func(tx *sql.Tx) error {
		defer step("rows to be written")
		return t.sql.in(tx).save(u)
	})
	step("rows written")
	return err
}

// in are the statements for use in a transaction.
func (s *statements) in(tx *sql.Tx) *statements {
	return &statements{tx.Stmt(s.keep), tx.Stmt(s.drop), tx.Stmt(s.copy), tx.Stmt(s.uncopy), tx.Stmt(s.note), tx.Stmt(s.unnote), tx.Stmt(s.value)}
}

func (s *statements) save(u unsaved) error {
	for _, number := range slices.Sorted(maps.Keys(u.blocks)) { // in the order in which they are stored
		// One that holds nothing any more is written, too: its numbers are
		// used.
		if _, err := s.keep.Exec(number, u.blocks[number]); err != nil {
			return err
		}
		if len(u.blocks[number]) > 0 {
			continue
		}
		if _, err := s.drop.Exec(number); err != nil {
			return err
		}
	}
	for _, c := range u.copies {
		if err := s.saveCopy(c); err != nil {
			return err
		}
	}
	for _, c := range u.notes {
		if err := s.saveNote(c); err != nil {
			return err
		}
	}
	if u.treeRead.IsZero() {
		return nil
	}
	_, err := s.value.Exec(treeKey, strconv.FormatInt(u.treeRead.UnixNano(), 10))
	return err
}

func (s *statements) saveCopy(c copyChange) (err error) {
	if c.content == nil {
		_, err = s.uncopy.Exec(c.ino)
	} else {
		_, err = s.copy.Exec(c.ino, c.content)
	}
	return err
}

func (s *statements) saveNote(c noteChange) (err error) {
	if c.over {
		_, err = s.unnote.Exec(c.at.dir, c.at.name)
	} else {
		_, err = s.note.Exec(c.at.dir, c.at.name)
	}
	return err
}

// load reads all inodes, without their names, gives each to add as blockReader
// tells it, and returns the names, and the greatest number that may ever have been
// given.
func (t *table) load(add func(n *node, spool uint64, cut bool)) (names []named, last Ino, err error) {
	found, err := t.state.DB().Query("SELECT inodes FROM media_block")
	if err != nil {
		return nil, 0, err
	}
	defer found.Close()
	for found.Next() {
		var content sql.RawBytes
		if err := found.Scan(&content); err != nil {
			return nil, 0, err
		}
		b := blockReader{rest: content}
		for len(b.rest) > 0 {
			n, spool, cut := b.inode(&names)
			if b.err != nil {
				return nil, 0, b.err
			}
			add(n, spool, cut)
		}
	}
	if err := found.Err(); err != nil {
		return nil, 0, err
	}
	err = t.state.DB().QueryRow("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'media_block'").Scan(&last)
	return names, last*blockSize + blockSize - 1, err
}
