package mount

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// leastRoom is how many bytes the database of a mount needs to open, with some over.
const leastRoom = 1 << 20

// withoutRoom adds to a failure to open what the account keeps which disk is full, and
// what to do. The disk is asked: what SQLite says of a full one is a number, or nothing
// of it.
func (a *account) withoutRoom(err error) error {
	if err == nil {
		return nil
	}
	for _, dir := range []string{a.dirs.State, a.dirs.Cache} {
		if full(dir) {
			return fmt.Errorf("%w\nThe disk that holds %s is full: free some space there and mount again. What is kept there stays", err, dir)
		}
	}
	return err
}

// full reports whether the disk is full that a directory, which may be missing, lies on.
func full(dir string) bool {
	var disk unix.Statfs_t
	err := unix.Statfs(dir, &disk)
	if errors.Is(err, unix.ENOENT) && dir != filepath.Dir(dir) {
		return full(filepath.Dir(dir))
	}
	return err == nil && int64(disk.Bavail)*disk.Bsize < leastRoom
}
