package disk

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// DefaultReserve is the reserve of a mount, in bytes.
const DefaultReserve = 256 << 20

// Disk is the file system of a directory, with a reserve of space that stays free.
type Disk struct {
	Dir     string
	Reserve int64                       // in bytes, negative = none
	Free    func(string) (int64, error) // the function Free, replaced in tests
}

// Lacks returns how many bytes must be freed so that writing n more leaves the reserve; 0 if
// there is room.
func (d *Disk) Lacks(n int64) (int64, error) {
	if d.Reserve < 0 {
		return 0, nil
	}
	free, err := d.Free(d.Dir)
	if err != nil {
		return 0, err
	}
	return max(0, d.Reserve+n-free), nil
}

// NoRoom explains that there is no room.
func (d *Disk) NoRoom() string {
	return fmt.Sprintf("the disk that holds %s would keep less than %s free", d.Dir, humanize.IBytes(uint64(max(d.Reserve, 0))))
}

// Free returns the space available to the user on the file system of dir.
func Free(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * st.Bsize, nil
}

// Same reports whether two directories are on the same file system.
func Same(one, other string) bool {
	var a, b unix.Stat_t
	return unix.Stat(one, &a) == nil && unix.Stat(other, &b) == nil && a.Dev == b.Dev
}

// FullError reports that a write would exceed the quota or use up the reserve.
type FullError struct{ Detail string }

func (e *FullError) Error() string { return e.Detail }
