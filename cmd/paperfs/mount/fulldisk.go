package mount

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// leastRoom is how many bytes the database of a mount needs to open, with a margin.
const leastRoom = 1 << 20

// withoutRoom adds to a failure to open files in dirs which disk is full, and what to do. It checks the disks
// itself, because SQLite reports a full one as a number or not at all.
func withoutRoom(err error, dirs ...string) error {
	if err == nil {
		return nil
	}
	for _, dir := range dirs {
		if full(dir) {
			return fmt.Errorf("%w\nThe disk that holds %s is full: free some space there and mount again. Nothing that is kept there is lost", err, dir)
		}
	}
	return err
}

// full reports whether the disk of a directory is full. The directory may be missing.
func full(dir string) bool {
	var disk unix.Statfs_t
	err := unix.Statfs(dir, &disk)
	if errors.Is(err, unix.ENOENT) && dir != filepath.Dir(dir) {
		return full(filepath.Dir(dir))
	}
	return err == nil && int64(disk.Bavail)*disk.Bsize < leastRoom
}
