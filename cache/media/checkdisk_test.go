package media

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// checkDisk returns where tables and files contradict memory. Nothing may use the store in the
// meantime, and everything must be written.
func (s *Store) checkDisk() error {
	return errors.Join(s.checkRows(), s.checkSpools(), failedWrong(s.Failures.Dir, s.Failures.List()))
}

func (s *Store) checkRows() error {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	needed := make(map[int64]bool)
	for _, n := range s.Nodes {
		if number := journal.BlockOf(n.Ino); n.Parent != nil && !n.InPapers(s.Papers) && number != journal.BlockOf(Root) { // the root is written together with the first other node
			needed[number] = true
		}
	}
	return rowsWrong(s.o.State.DB(), needed, func(block int64) []byte { return s.BlockLocked(nil, block) })
}

func (s *Store) checkSpools() error {
	used := make(map[string]bool)
	s.Mu.RLock()
	nodes := maps.Clone(s.Nodes)
	s.Mu.RUnlock()
	for _, n := range nodes {
		if n.Kind != File {
			continue
		}
		b := n.Body()
		b.Mu.RLock()
		for _, sp := range []*spool.File{b.Spool, b.Pending} {
			if sp != nil {
				used[filepath.Base(sp.Path)] = true
			}
		}
		b.Mu.RUnlock()
	}
	return spoolsWrong(s.Spools.Path, used)
}

// savedRow is the part of an inode's row that decides about its content. Times and other attributes
// may be newer in memory.
type savedRow struct {
	kind  FileKind
	state tree.State
	spool journal.Spool
	id    int64
}

// rowsOf parses a block.
func rowsOf(inodes []byte) (map[Ino]savedRow, error) {
	rows := make(map[Ino]savedRow)
	b := journal.Reader{Rest: inodes}
	for len(b.Rest) > 0 && b.Err == nil {
		var names []journal.Named
		n, spool := b.Inode(&names)
		rows[n.Ino] = savedRow{n.Kind, n.State(), spool, max(n.ID, n.Pub.ID)}
	}
	return rows, b.Err
}

// rowsWrong compares the blocks of the database with those that memory would write, and with the
// blocks that nodes need.
func rowsWrong(db *sql.DB, needed map[int64]bool, inMemory func(block int64) []byte) error {
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

// spoolsWrong compares the spool files with those that nodes use.
func spoolsWrong(dir string, used map[string]bool) error {
	there, err := namesInDir(dir)
	if err != nil {
		return err
	}
	var wrong []error
	for name := range used {
		if !there[name] {
			wrong = append(wrong, fmt.Errorf("the spool %s is missing", name))
		}
	}
	for name := range there {
		if _, ok := spool.Parse(name); ok && !used[name] {
			wrong = append(wrong, fmt.Errorf("the spool %s is unused", name))
		}
	}
	return errors.Join(wrong...)
}

// failedWrong compares failed/ with its entries.
func failedWrong(dir string, entries []failed.Entry) error {
	there, err := namesInDir(dir)
	if err != nil {
		return err
	}
	var wrong []error
	for _, e := range entries {
		name := strconv.FormatInt(e.ID, 10)
		if !there[name] {
			wrong = append(wrong, fmt.Errorf("the content of %q is missing from failed/", e.Path))
		}
		delete(there, name)
	}
	for name := range there {
		wrong = append(wrong, fmt.Errorf("%s in failed/ has no entry", name))
	}
	return errors.Join(wrong...)
}

func namesInDir(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	names := make(map[string]bool)
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names, err
}

// holding returns a directory with files of these names.
func holding(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	return dir
}

// TestSpoolsThatNobodyUsesAreFound checks which spools count as missing or unused.
func TestSpoolsThatNobodyUsesAreFound(t *testing.T) {
	used, unused := spool.Name(1), spool.Name(2)
	require.NoError(t, spoolsWrong(holding(t, used, "notes"), map[string]bool{used: true}))
	require.ErrorContains(t, spoolsWrong(holding(t, used, unused), map[string]bool{used: true}), unused+" is unused")
	require.ErrorContains(t, spoolsWrong(holding(t), map[string]bool{used: true}), used+" is missing")
}

// TestFailedContentHasItsEntry checks both directions.
func TestFailedContentHasItsEntry(t *testing.T) {
	entries := []failed.Entry{{ID: 1, Path: "a"}, {ID: 2, Path: "b"}}
	require.NoError(t, failedWrong(holding(t, "1", "2"), entries))
	require.ErrorContains(t, failedWrong(holding(t, "1"), entries), `the content of "b" is missing`)
	require.ErrorContains(t, failedWrong(holding(t, "1", "2", "3"), entries), "3 in failed/ has no entry")
}
