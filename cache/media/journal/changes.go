package journal

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"paperfs/cache/media/inode"
	"paperfs/cache/state"
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

const (
	keepBlock = "INSERT INTO media_block (number, inodes) VALUES (?,?) ON CONFLICT (number) DO UPDATE SET inodes = excluded.inodes"
	dropBlock = "DELETE FROM media_block WHERE number = ?"
	saveCopy  = "INSERT INTO media_copy (ino, content) VALUES (?,?)"
	dropCopy  = "DELETE FROM media_copy WHERE ino = ?"
	keepValue = "INSERT INTO value (key, value) VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)

// statements are what writes the changes.
func (u *Changes) statements() (all []state.Statement) {
	add := func(text string, args ...any) { all = append(all, state.Statement{Text: text, Args: args}) }
	for _, number := range slices.Sorted(maps.Keys(u.Blocks)) { // in the order in which they are stored
		// One with nothing in it any more is written, too: its numbers are
		// used.
		add(keepBlock, number, u.Blocks[number])
		if len(u.Blocks[number]) == 0 {
			add(dropBlock, number)
		}
	}
	for _, c := range u.Copies {
		if c.Content == nil {
			add(dropCopy, int64(c.Ino))
		} else {
			add(saveCopy, int64(c.Ino), c.Content)
		}
	}
	for _, c := range u.Notes {
		if c.Over {
			add(dropUnknown, c.At.dir, c.At.name)
		} else {
			add(noteUnknown, c.At.dir, c.At.name)
		}
	}
	if !u.TreeRead.IsZero() {
		add(keepValue, TreeKey, strconv.FormatInt(u.TreeRead.UnixNano(), 10))
	}
	return all
}

// NoteChange is a note that comes, or goes where it is over.
type NoteChange struct {
	At   ServiceName
	Over bool
}

// TreeKey is where the state keeps when the tree was last asked for.
const TreeKey = "media.tree"
