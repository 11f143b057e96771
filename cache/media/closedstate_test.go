package media

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/tree"
)

// checkClosed returns the inconsistencies in the state of a store that is not open: its database,
// with the current schema, and the account's directory. A mount leaves none, even after a kill
// or a power loss. Whether queued content has a spool cannot be checked: a close that has not
// returned yet may be queued, too.
func checkClosed(db *sql.DB, dir string) error {
	var damage string
	if err := db.QueryRow("PRAGMA quick_check(1)").Scan(&damage); err != nil {
		return err
	}
	if damage != "ok" {
		return fmt.Errorf("the database is damaged: %s", strings.Join(strings.Fields(damage), " "))
	}
	nodes := make(map[inode.Ino]*tree.Node)
	names, _, err := journal.Load(db, func(n *tree.Node, _ journal.Spool) { nodes[n.Ino] = n })
	if err != nil {
		return err
	}
	failed, err := numbersIn(db, "SELECT id FROM media_failed")
	if err != nil {
		return err
	}
	return errors.Join(checkNames(nodes, names), checkFailed(filepath.Join(dir, "failed"), failed))
}

// checkNames checks that each name is in a directory; otherwise Open would drop it.
func checkNames(nodes map[inode.Ino]*tree.Node, names []journal.Named) error {
	var wrong []error
	for _, l := range names {
		if parent := nodes[l.Parent]; l.Parent != inode.Root && (parent == nil || parent.Kind != inode.Directory) {
			wrong = append(wrong, fmt.Errorf("%q is in no directory", l.Name))
		}
	}
	return errors.Join(wrong...)
}

// checkFailed checks that each file in failed/ has an entry.
func checkFailed(dir string, known map[int64]bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var wrong []error
	for _, e := range entries {
		var id int64
		if _, err := fmt.Sscanf(e.Name(), "%d", &id); err == nil && e.Name() == fmt.Sprint(id) && !known[id] {
			wrong = append(wrong, fmt.Errorf("%s has no entry", filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(wrong...)
}

// numbersIn returns the numbers that a query selects.
func numbersIn(db *sql.DB, query string) (map[int64]bool, error) {
	found, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	numbers := make(map[int64]bool)
	for found.Next() {
		var n int64
		if err := found.Scan(&n); err != nil {
			return nil, err
		}
		numbers[n] = true
	}
	return numbers, found.Err()
}
