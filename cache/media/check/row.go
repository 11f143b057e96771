package check

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/tree"
)

// row is the part of an inode's row that decides about its content. Times and other attributes
// may be newer in memory.
type row struct {
	kind  inode.FileKind
	state tree.State
	spool journal.Spool
	id    int64
}

// rowsOf parses a block.
func rowsOf(inodes []byte) (map[inode.Ino]row, error) {
	rows := make(map[inode.Ino]row)
	b := journal.Reader{Rest: inodes}
	for len(b.Rest) > 0 && b.Err == nil {
		var names []journal.Named
		n, spool, _ := b.Inode(&names)
		rows[n.Ino] = row{n.Kind, n.State(), spool, max(n.ID, n.Pub.ID)}
	}
	return rows, b.Err
}

// Rows compares the blocks of the database with those that memory would write, and with the
// blocks that nodes need.
func Rows(db *sql.DB, needed map[int64]bool, inMemory func(block int64) []byte) error {
	found, err := db.Query("SELECT number, inodes FROM media_block")
	if err != nil {
		return err
	}
	defer found.Close()
	missing := maps.Clone(needed)
	var wrong []error
	for found.Next() {
		var number int64
		var inodes []byte
		if err := found.Scan(&number, &inodes); err != nil {
			return err
		}
		delete(missing, number)
		there, err := rowsOf(inodes)
		want, unread := rowsOf(inMemory(number))
		if err = errors.Join(err, unread); err != nil {
			return err
		}
		if !maps.Equal(there, want) {
			wrong = append(wrong, fmt.Errorf("block %d has %+v, memory has %+v", number, there, want))
		}
	}
	for number := range missing {
		wrong = append(wrong, fmt.Errorf("block %d is not written", number))
	}
	return errors.Join(append(wrong, found.Err())...)
}
