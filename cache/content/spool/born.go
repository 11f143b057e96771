package spool

import (
	"time"

	"golang.org/x/sys/unix"
)

// Born returns the creation time of a spool; ok is false if there is none, or if the file system
// does not record creation times.
func Born(path string) (at time.Time, ok bool) {
	var x unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &x)
	return time.Unix(x.Btime.Sec, int64(x.Btime.Nsec)), err == nil && x.Mask&unix.STATX_BTIME != 0
}
