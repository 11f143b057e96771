package media

import (
	"os"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cache/content/journal"
	"paperfs/cache/state"
)

// immutable makes a file one that nobody may write, root neither, as chattr +i does, until back is called.
func immutable(t *testing.T, path string) (back func()) {
	set := func(flag int) error {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
		if err != nil {
			return err
		}
		return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags&^unix.STATX_ATTR_IMMUTABLE|flag)
	}
	if err := set(unix.STATX_ATTR_IMMUTABLE); err != nil {
		t.Skipf("no file can be made immutable here: %v", err)
	}
	t.Cleanup(func() { _ = set(0) }) // else it could not be removed
	return func() { require.NoError(t, set(0)) }
}

// changing are gestures that send a change to the service, with what they need before.
var changing = map[string]struct {
	prepare func(*fixture)
	gesture func(*fixture) error
}{
	"mkdir": {func(*fixture) {}, func(f *fixture) error {
		_, err := f.store.Mkdir(ctx, Root, "d", New{})
		return err
	}},
	"rmdir": {func(f *fixture) { f.mkdir(Root, "d") }, func(f *fixture) error { return f.store.Rmdir(ctx, Root, "d") }},
	"mv": {func(f *fixture) { _, _ = f.create(Root, "a", "one") }, func(f *fixture) error {
		return f.rename(Root, "a", Root, "b")
	}},
	"mv out of scratch": {func(f *fixture) { _, _ = f.create(Root, ".a", "one") }, func(f *fixture) error {
		return f.rename(Root, ".a", Root, "a")
	}},
	"rm": {func(f *fixture) { _, _ = f.create(Root, "a", "one") }, func(f *fixture) error {
		return f.store.Unlink(ctx, Root, "a")
	}},
	"a new file": {func(*fixture) {}, func(f *fixture) error {
		_, err := f.create(Root, "a", "one")
		return err
	}},
	"an overwritten file": {func(f *fixture) { _, _ = f.create(Root, "a", "one") }, func(f *fixture) error {
		return f.overwrite(f.lookup(Root, "a").Ino, "two")
	}},
}

// sent returns how many changes were sent.
func (f *fixture) sent() (n int) {
	for _, op := range []string{"CreateDirectory", "UploadFile", "MoveFile", "MoveDirectory", "DeleteFile", "DeleteDirectory"} {
		n += f.service.count(op)
	}
	return n
}

// TestNothingIsSentThatCannotBeNoted checks that no gesture changes anything at the service while the system refuses
// writes to a file of the state, that the error names the file, and that the mount goes on by itself afterwards.
func TestNothingIsSentThatCannotBeNoted(t *testing.T) {
	t.Parallel()
	for name, c := range changing {
		for _, file := range []string{"state.db", "state.db-wal", "state.db-shm"} {
			t.Run(name+" "+file, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, deleting, moving)
				c.prepare(f)
				require.NoError(t, f.store.Sync())
				before, path := f.sent(), f.dirs.State+"/"+file
				back := immutable(t, path)
				err := c.gesture(f)
				require.ErrorIs(t, err, syscall.EPERM)
				require.ErrorContains(t, err, path)
				require.Equal(t, before, f.sent())
				back()
				require.NoError(t, c.gesture(f))
				require.Greater(t, f.sent(), before)
			})
		}
	}
}

// failingState is on a disk that can fail.
type failingState struct {
	journal.State
	fails atomic.Bool
}

func (s *failingState) Unsynced(changes ...state.Statement) error {
	if s.fails.Load() {
		return errDisk
	}
	return s.State.Unsynced(changes...)
}

// TestNothingIsSentAfterAFailedWrite checks the same of a disk whose failure only a write shows: no gesture after the
// first is sent.
func TestNothingIsSentAfterAFailedWrite(t *testing.T) {
	t.Parallel()
	for name, c := range changing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, disk := newFixture(t, deleting, moving), new(failingState)
			f.around = func(st journal.State) journal.State { disk.State = st; return disk }
			f.reopen()
			c.prepare(f)
			disk.fails.Store(true)
			f.changeSomething()
			require.ErrorIs(t, f.store.Sync(), errDisk)
			before := f.sent()
			require.ErrorIs(t, c.gesture(f), errDisk)
			require.Equal(t, before, f.sent())
			disk.fails.Store(false)
			require.NoError(t, c.gesture(f))
			require.Greater(t, f.sent(), before)
		})
	}
}

// TestAMoveIsNotSentBeforeEarlierRows checks that the service moves nothing before the rows of earlier changes are written: after
// a kill, the next mount would send content that the service has to the old name again.
func TestAMoveIsNotSentBeforeEarlierRows(t *testing.T) {
	t.Parallel()
	f, disk := newFixture(t, moving), new(failingState)
	f.around = func(st journal.State) journal.State { disk.State = st; return disk }
	f.reopen()
	_, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	_, err = f.store.Mkdir(ctx, Root, "d", New{})
	require.NoError(t, err)
	disk.fails.Store(true)
	f.changeSomething()
	for from, op := range map[string]string{"a": "MoveFile", "d": "MoveDirectory"} {
		require.ErrorIs(t, f.rename(Root, from, Root, from+"2"), errDisk)
		require.Zero(t, f.service.count(op))
	}
	disk.fails.Store(false)
	for from, op := range map[string]string{"a": "MoveFile", "d": "MoveDirectory"} {
		require.NoError(t, f.rename(Root, from, Root, from+"2"))
		require.Equal(t, 1, f.service.count(op))
	}
}

// TestNoNameIsChangedAfterAFailedSync checks the same of a sync, which cannot be tried again: no change of names is sent, but
// files are.
func TestNoNameIsChangedAfterAFailedSync(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"mkdir", "rmdir", "mv", "mv out of scratch", "rm", "a new file"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, disk := brittleFixture(t, deleting, moving)
			changing[name].prepare(f)
			f.failOnce(disk)
			before, err := f.sent(), changing[name].gesture(f)
			if name == "a new file" {
				require.NoError(t, err)
				require.Greater(t, f.sent(), before)
				return
			}
			require.ErrorIs(t, err, errDisk)
			require.Equal(t, before, f.sent())
		})
	}
}

// TestARemovedFileStaysRemovedWhereItsSpoolCannotBe checks that the next mount does not find the content of files that were
// removed while nothing could be removed from the directory of the spools.
func TestARemovedFileStaysRemovedWhereItsSpoolCannotBe(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.service.goAway(unreachable)
	for _, name := range []string{".scratch", "queued"} {
		_, err := f.create(Root, name, "one")
		require.NoError(t, err)
	}
	back := immutable(t, f.store.Spools.Path)
	require.NoError(t, f.store.Unlink(ctx, Root, ".scratch"))
	require.NoError(t, f.store.Unlink(ctx, Root, "queued"))
	require.NoError(t, f.store.Close()) // without the checks: what is left of the spools is unused
	require.NoError(t, f.state.Close())
	back()
	f.service.goAway(nil)
	f.open()
	require.Empty(t, f.store.Failed())
	f.absent(Root, ".scratch")
	f.absent(Root, "queued")
}
