package journal

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cache/content/inode"
	"paperfs/remote/testrun"
)

func removed(ino uint64) []byte { return binary.LittleEndian.AppendUint64(nil, ino) }

// TestRemovalsOutlastAKill checks that the next run finds what was removed and not yet written, also
// if the last entry was cut.
func TestRemovalsOutlastAKill(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	r := &tombstones{path: path}
	found, begun, err := r.replay()
	require.NoError(t, err)
	require.Empty(t, found, "there is no log before the first removal")
	require.Empty(t, begun)
	require.NoError(t, r.add(Begun{5, 8, "dir/name"}.entry(), 1))
	require.NoError(t, r.add(removed(7), 1))
	require.NoError(t, r.add(removed(9), 2))
	r.close()
	cut, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = cut.Write([]byte{200, 0, 0, 0, 0, 0, 0, 128, 5, 0, 0, 0, 0, 0, 0, 0, 3})
	require.NoError(t, err)
	require.NoError(t, cut.Close())

	next := &tombstones{path: path}
	found, begun, err = next.replay()
	require.NoError(t, err)
	require.Equal(t, []inode.Ino{7, 9}, found)
	require.Equal(t, []Begun{{5, 8, "dir/name"}}, begun)
	require.NoError(t, next.add(removed(11), 3), "takes the place of the cut entry")
	next.close()
	found, begun, err = (&tombstones{path: path}).replay()
	require.NoError(t, err)
	require.Equal(t, []inode.Ino{7, 9, 11}, found)
	require.Len(t, begun, 1)
}

// TestRemovalsAreForgottenOnceAllAreWritten checks that the log keeps all entries until the newest is
// written.
func TestRemovalsAreForgottenOnceAllAreWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	size := func() int64 {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Size()
	}
	r := &tombstones{path: path}
	defer r.close()
	require.NoError(t, r.add(removed(7), 1))
	require.NoError(t, r.add(removed(9), 2))
	r.written(1)
	require.EqualValues(t, 2*lineSize, size())
	r.written(2)
	require.Zero(t, size())
	require.NoError(t, r.add(removed(11), 3))
	require.EqualValues(t, lineSize, size())
}

// TestAnEntryThatAFullDiskCutLeavesNothingBehind fills the page in which an entry ends, after its beginning was written. What
// a shorter entry then leaves of it would count as removals: its serial, its inode and its path are numbers of other files.
func TestAnEntryThatAFullDiskCutLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	disk, page := t.TempDir(), os.Getpagesize()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprint("size=", page)); err != nil {
		testrun.Missing(t, "a disk of one page ("+err.Error()+")")
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	path := filepath.Join(disk, "log")
	r := &tombstones{path: path}
	defer r.close()
	first := Begun{5, 8, strings.Repeat("n", page-6*lineSize)}
	require.NoError(t, r.add(first.entry(), 1))
	require.ErrorIs(t, r.add(Begun{6, 9, "other"}.entry(), 2), unix.ENOSPC)
	require.NoError(t, r.add(removed(7), 3))
	found, begun, err := (&tombstones{path: path}).replay()
	require.NoError(t, err)
	require.Equal(t, []inode.Ino{7}, found)
	require.Equal(t, []Begun{first}, begun)
}

// TestNothingIsWrittenOverAnEntryThatCannotBeCut keeps the log from getting shorter: what is there of a cut entry stays, and
// the next one does not replace a part of it.
func TestNothingIsWrittenOverAnEntryThatCannotBeCut(t *testing.T) {
	t.Parallel()
	fd, err := unix.MemfdCreate("log", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	require.NoError(t, err)
	file := os.NewFile(uintptr(fd), "log")
	defer file.Close()
	_, err = file.Write(Begun{6, 9, "other"}.entry()[:3*lineSize])
	require.NoError(t, err)
	_, err = unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK)
	require.NoError(t, err)
	r := &tombstones{path: fmt.Sprint("/proc/self/fd/", fd)}
	defer r.close()
	for range 2 {
		require.ErrorIs(t, r.add(removed(7), 1), unix.EPERM)
	}
}
