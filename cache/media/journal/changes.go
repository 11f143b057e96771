package journal

import (
	"database/sql"
	"maps"
	"slices"
	"strconv"
	"time"

	"paperfs/cache/media/inode"
)

// Changes is what is to be written: blocks by their numbers, empty where
// nothing is in one, and copies of content and notes of uploads in the order of
// their changes. When the tree was last asked for is written with what that
// brought, so that no kill leaves the one without the other.
type Changes struct {
	Blocks   map[int64][]byte
	Copies   []CopyChange
	Notes    []NoteChange
	TreeRead time.Time // zero: as it was written before
}

// CopyChange is a copy of an inode's content that comes, or goes where it is
// nil.
type CopyChange struct {
	Ino     inode.Ino
	Content []byte
}

// add puts newer changes on top.
func (u *Changes) add(newer Changes) {
	if u.Blocks == nil {
		u.Blocks = newer.Blocks
	} else {
		maps.Copy(u.Blocks, newer.Blocks)
	}
	u.Copies = append(u.Copies, newer.Copies...)
	u.Notes = append(u.Notes, newer.Notes...)
	if !newer.TreeRead.IsZero() {
		u.TreeRead = newer.TreeRead
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

func (s *statements) save(u Changes) error {
	for _, number := range slices.Sorted(maps.Keys(u.Blocks)) { // in the order in which they are stored
		// One with nothing in it any more is written, too: its numbers are
		// used.
		if _, err := s.keep.Exec(number, u.Blocks[number]); err != nil {
			return err
		}
		if len(u.Blocks[number]) > 0 {
			continue
		}
		if _, err := s.drop.Exec(number); err != nil {
			return err
		}
	}
	for _, c := range u.Copies {
		if err := s.saveCopy(c); err != nil {
			return err
		}
	}
	for _, c := range u.Notes {
		if err := s.saveNote(c); err != nil {
			return err
		}
	}
	if u.TreeRead.IsZero() {
		return nil
	}
	_, err := s.value.Exec(TreeKey, strconv.FormatInt(u.TreeRead.UnixNano(), 10))
	return err
}

func (s *statements) saveCopy(c CopyChange) (err error) {
	if c.Content == nil {
		_, err = s.uncopy.Exec(c.Ino)
	} else {
		_, err = s.copy.Exec(c.Ino, c.Content)
	}
	return err
}

func (s *statements) saveNote(c NoteChange) (err error) {
	if c.Over {
		_, err = s.unnote.Exec(c.At.dir, c.At.name)
	} else {
		_, err = s.note.Exec(c.At.dir, c.At.name)
	}
	return err
}

// NoteChange is a note that comes, or goes where it is over.
type NoteChange struct {
	At   ServiceName
	Over bool
}

// TreeKey is where the state keeps when the tree was last asked for.
const TreeKey = "media.tree"
