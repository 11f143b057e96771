package spool

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"paperfs/cache/media/inode"
)

// Born returns the creation time of the oldest spool of each given inode. It omits inodes
// without a spool, and all of them if the file system does not record creation times.
func (s *Dir) Born(inos ...inode.Ino) map[inode.Ino]time.Time {
	if len(inos) == 0 {
		return nil
	}
	entries, _ := os.ReadDir(s.Path)
	born := map[inode.Ino]time.Time{}
	for _, e := range entries {
		number, _, _ := strings.Cut(e.Name(), "-")
		n, err := strconv.ParseUint(number, 10, 64)
		if ino := inode.Ino(n); err == nil && slices.Contains(inos, ino) {
			if at, ok := bornAt(filepath.Join(s.Path, e.Name())); ok && (born[ino].IsZero() || at.Before(born[ino])) {
				born[ino] = at
			}
		}
	}
	return born
}

func bornAt(path string) (time.Time, bool) {
	var x unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &x)
	return time.Unix(x.Btime.Sec, int64(x.Btime.Nsec)), err == nil && x.Mask&unix.STATX_BTIME != 0
}
