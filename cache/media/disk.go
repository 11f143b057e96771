package media

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// disk is the file system that a directory lies on, with a reserve of free
// space that is left to others.
type disk struct {
	dir     string
	reserve int64                       // bytes, negative = none
	free    func(string) (int64, error) // freeSpace, but in tests
}

// lacks is how many bytes would have to be freed so that n more leave the
// reserve; 0 where there is room.
func (d *disk) lacks(n int64) (int64, error) {
	if d.reserve < 0 {
		return 0, nil
	}
	free, err := d.free(d.dir)
	if err != nil {
		return 0, err
	}
	return max(0, d.reserve+n-free), nil
}

// words say that there is no room.
func (d *disk) words() string {
	return fmt.Sprintf("the disk that holds %s would keep less than %s free", d.dir, humanize.IBytes(uint64(max(d.reserve, 0))))
}

// freeSpace is what may still be written where dir lies.
func freeSpace(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * st.Bsize, nil
}

// sameDisk reports whether freeing space at one directory helps the other.
func sameDisk(one, other string) bool {
	var a, b unix.Stat_t
	return unix.Stat(one, &a) == nil && unix.Stat(other, &b) == nil && a.Dev == b.Dev
}
