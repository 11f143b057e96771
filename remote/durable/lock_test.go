package durable

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote/testrun"
)

func TestLockHasOneHolderAtATime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	require.False(t, LockHeld(file))
	lock := testrun.Must(TakeLock(file, "one, with a long name\n"))(t)
	require.True(t, LockHeld(file))
	_, err := TakeLock(file, "two\n")
	var held *HeldError
	require.ErrorAs(t, err, &held)
	require.Equal(t, "one, with a long name\n", held.Holder)
	require.NoError(t, lock.Release())
	require.False(t, LockHeld(file))

	lock = testrun.Must(TakeLock(file, "two\n"))(t)
	require.Equal(t, "two\n", testrun.Must(LockHolder(file))(t))
	require.NoError(t, lock.Release())
}

// TestLockEndsWithItsHolderWhateverAChildHas checks that a release ends the lock, although a
// child has its parent's descriptors until it executes its program.
func TestLockEndsWithItsHolderWhateverAChildHas(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	lock := testrun.Must(TakeLock(file, "one"))(t)
	inherited := testrun.Must(unix.Dup(int(lock.f.Fd())))(t)
	defer unix.Close(inherited)
	require.NoError(t, lock.Release())
	lock = testrun.Must(TakeLock(file, "two"))(t)
	require.NoError(t, lock.Release())
}

// TestAPipeIsNoLock checks that a pipe in place of the lock is neither waited for nor
// accepted.
func TestAPipeIsNoLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	require.NoError(t, unix.Mkfifo(file, 0o600))
	require.False(t, LockHeld(file))
	_, err := LockHolder(file)
	require.ErrorContains(t, err, "is not a regular file")
	_, err = TakeLock(file, "one")
	require.ErrorContains(t, err, "lock is not a regular file. Run: mv "+file+" "+file+".old")
}
