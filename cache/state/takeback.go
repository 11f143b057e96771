package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"paperfs/remote/durable"
)

// back is what a database is called that is written back, until nothing of the lost one is
// open any more.
const back = ".back"

// takeBack gives a database that was written back its name. The log beside that is the lost one's.
// If somebody has put another one there, that is the database, and the copy, which would be old
// later, is kept under a name that nothing looks for.
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

// setAside gives a file another name, which nothing has: to, or to-2 and so on. It returns "" where
// there is no file.
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

// move renames a file durably. Where it cannot, the file stays; durable.Rename would remove it.
func move(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(to))
}
