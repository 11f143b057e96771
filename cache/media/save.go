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

// noteChange is a note that comes, or goes where it is over.
type noteChange struct {
	at   servicePlace
	over bool
}

// treeKey is where the state keeps when the tree was last asked for.
const treeKey = "media.tree"
