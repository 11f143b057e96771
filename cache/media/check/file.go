package check

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"paperfs/cache/media/failed"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/spool"
)

// Spools compares the spool files with those that nodes use. Spools of drafts and of removed
// files belong to no named node: named reports which inodes are nodes with a name.
func Spools(dir string, used map[string]bool, named func(inode.Ino) bool) error {
	there, err := namesIn(dir)
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
		if ino, _, ok := spool.Parse(name); ok && !used[name] && (ino == 0 || named(ino)) {
			wrong = append(wrong, fmt.Errorf("the spool %s is unused", name))
		}
	}
	return errors.Join(wrong...)
}

// Failed compares failed/ with its entries.
func Failed(dir string, entries []failed.Entry) error {
	there, err := namesIn(dir)
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

func namesIn(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	names := make(map[string]bool)
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names, err
}
