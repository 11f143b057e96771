package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"paperfs/remote/durable"
)

// back is the suffix of a database that was written back, until the lost one is no longer
// open.
const back = ".back"

// takeBack renames a written-back database to its final name. The log next to that name is
// the lost database's, and is removed. But if another program has put a database there,
// that one stays, and the written-back copy, which would become outdated, gets a name that
// nothing looks for.
func takeBack(path string) error {
	if _, err := os.Lstat(path + back); err != nil {
		return nil
	}
	found, err := os.Lstat(path)
	switch {
	case err == nil && found.Size() > 0:
		_, err = setAside(path+back, path+".kept")
		return err
	case err == nil:
		_, err = setAside(path, path+".found")
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return err
	}
	for _, beside := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + beside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return move(path+back, path)
}

// setAside renames a file to a free name: to, or to-2 and so on. It returns "" if there is
// no file.
func setAside(path, to string) (string, error) {
	free := to
	for n := 2; ; n++ {
		if _, err := os.Lstat(free); err != nil {
			break
		}
		free = fmt.Sprintf("%s-%d", to, n)
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return free, move(path, free)
}

// move renames a file durably. If the rename fails, the file stays; durable.Rename would
// remove it.
func move(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(to))
}
