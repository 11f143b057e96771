package disk

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// Disk is the file system that a directory lies on, with a reserve of free
// space that is left to others.
type Disk struct {
	Dir     string
	Reserve int64                       // bytes, negative = none
	Free    func(string) (int64, error) // Free, but in tests
}

// Lacks is how many bytes would have to be freed so that n more leave the
// reserve; 0 where there is room.
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

// Words say that there is no room.
func (d *Disk) Words() string {
	return fmt.Sprintf("the disk that holds %s would keep less than %s free", d.Dir, humanize.IBytes(uint64(max(d.Reserve, 0))))
}

// Free is what may still be written where dir lies.
func Free(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * st.Bsize, nil
}

// Same reports whether freeing space at one directory helps the other.
func Same(one, other string) bool {
	var a, b unix.Stat_t
	return unix.Stat(one, &a) == nil && unix.Stat(other, &b) == nil && a.Dev == b.Dev
}

// FullError is the refusal of what would pass the quota or the reserve.
type FullError struct{ Detail string }

func (e *FullError) Error() string { return e.Detail }
