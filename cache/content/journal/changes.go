package journal

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/state"
)

// Changes are pending writes: blocks by number (empty if the block has no inodes), and copies
// of content and upload notes in the order of their changes. The time of a GetTree is written
// together with what it changed, so that a kill leaves both or neither.
type Changes struct {
	Blocks   map[int64][]byte
	Copies   []CopyChange
	Notes    []NoteChange
	PDFs     map[inode.Ino]*PDF // rows of PDFs; nil: none
	TreeRead time.Time          // zero: unchanged
}

// CopyChange adds a copy of an inode's content, gives it to another inode, or removes it.
type CopyChange struct {
	Ino       inode.Ino
	Content   []byte    // to be added
	Successor inode.Ino // the other inode, or 0
}

// add merges newer changes.
func (u *Changes) add(newer Changes) {
	if u.Blocks == nil {
		u.Blocks = newer.Blocks
	} else {
		maps.Copy(u.Blocks, newer.Blocks)
	}
	if u.PDFs == nil {
		u.PDFs = newer.PDFs
	} else {
		maps.Copy(u.PDFs, newer.PDFs)
	}
	u.Copies = append(u.Copies, newer.Copies...)
	u.Notes = append(u.Notes, newer.Notes...)
	if !newer.TreeRead.IsZero() {
		u.TreeRead = newer.TreeRead
	}
}

const (
	keepBlock = "INSERT INTO media_block (number, inodes) VALUES (?,?) ON CONFLICT (number) DO UPDATE SET inodes = excluded.inodes"
	keepTwo   = "INSERT INTO media_block (number, inodes) VALUES (?,?), (?,?) ON CONFLICT (number) DO UPDATE SET inodes = excluded.inodes"
	dropBlock = "DELETE FROM media_block WHERE number = ?"
	saveCopy  = "INSERT INTO media_copy (ino, content) VALUES (?,?)"
	giveCopy  = "UPDATE media_copy SET ino = ? WHERE ino = ?"
	dropCopy  = "DELETE FROM media_copy WHERE ino = ?"
	keepValue = "INSERT INTO value (key, value) VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)

// statements returns the SQL statements that write the changes.
func (u *Changes) statements() (all []state.Statement) {
	add := func(text string, args ...any) { all = append(all, state.Statement{Text: text, Args: args}) }
	for some := range slices.Chunk(slices.Sorted(maps.Keys(u.Blocks)), 2) { // in storage order
		if first := some[0]; len(some) == 1 {
			add(keepBlock, first, u.Blocks[first])
		} else { // often those of a file and of its directory, which then need no BEGIN and COMMIT
			add(keepTwo, first, u.Blocks[first], some[1], u.Blocks[some[1]])
		}
		for _, number := range some {
			// An empty block is inserted before it is deleted, so that sqlite_sequence records its
			// number as used.
			if len(u.Blocks[number]) == 0 {
				add(dropBlock, number)
			}
		}
	}
	for ino, row := range u.PDFs {
		all = append(all, pdfStatement(ino, row))
	}
	for _, c := range u.Copies {
		switch {
		case c.Successor != 0:
			add(giveCopy, int64(c.Successor), int64(c.Ino))
		case c.Content == nil:
			add(dropCopy, int64(c.Ino))
		default:
			add(saveCopy, int64(c.Ino), c.Content)
		}
	}
	for _, c := range u.Notes {
		if c.Over {
			add(dropUnknown, c.At.dir, c.At.name)
		} else {
			add(noteUnknown, c.At.dir, c.At.name, string(c.Sent))
		}
	}
	if !u.TreeRead.IsZero() {
		add(keepValue, TreeKey, strconv.FormatInt(u.TreeRead.UnixNano(), 10))
	}
	return all
}

// NoteChange adds an upload note, or removes it if Over is set.
type NoteChange struct {
	At   ServiceName
	Sent Sent
	Over bool
}

// TreeKey is the key for the time of the last GetTree.
const TreeKey = "media.tree"
