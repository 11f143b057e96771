package media

import (
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/state"
)

// fullState is on a disk that can be full.
type fullState struct {
	journal.State
	full atomic.Bool
}

func (s *fullState) Unsynced(changes ...state.Statement) error {
	if s.full.Load() {
		return syscall.ENOSPC
	}
	return s.State.Unsynced(changes...)
}

// onFullDisk returns a fixture whose state can be on a full disk.
func onFullDisk(t *testing.T, options ...func(*Options)) (*fixture, *fullState) {
	f := newFixture(t, options...)
	require.NoError(t, f.store.Close())
	require.NoError(t, f.state.Close())
	s := new(fullState)
	f.around = func(st journal.State) journal.State {
		s.State = st
		return s
	}
	f.open()
	return f, s
}

// stuck waits until one file is queued with the error of a local failure.
func (f *fixture) stuck(words string) {
	f.eventually(func() bool {
		queue := f.store.Queue()
		return len(queue) == 1 && !queue[0].Sending && strings.Contains(queue[0].LastError, words)
	})
	require.False(f.t, f.store.Idle())
	require.Empty(f.t, f.store.Failed())
}

// withoutFailed makes moves to failed/ fail until back is called.
func (f *fixture) withoutFailed() (back func()) {
	rename := func(from, to string) {
		_, err := f.state.DB().Exec("ALTER TABLE " + from + " RENAME TO " + to)
		require.NoError(f.t, err)
	}
	rename("media_failed", "away")
	return func() { rename("away", "media_failed") }
}

// TestAFullDiskHereIsNoRefusal checks that content that is queued while nothing can be written
// waits, with an explanation, and is sent when there is room.
func TestAFullDiskHereIsNoRefusal(t *testing.T) {
	t.Parallel()
	f, disk := onFullDisk(t)
	disk.full.Store(true)
	_, err := f.create(Root, "empty", "")
	require.NoError(t, err)
	f.stuck("no space left")
	require.ErrorIs(t, f.store.Status().Waits, syscall.ENOSPC)
	require.Equal(t, Pending, f.lookup(Root, "empty").Where)
	f.reported("no space left")
	require.Zero(t, f.service.count("UploadFile"))
	disk.full.Store(false)
	f.store.RetryNow()
	f.drain()
	f.published("empty", "")
	require.Empty(t, f.store.Failed())
	f.reopen()
	f.lookup(Root, "empty")
}

func (f *fixture) reported(words string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	require.Len(f.t, f.reports, 1)
	require.Contains(f.t, f.reports[0].Error(), words)
}

// TestRefusedContentWaitsWhileFailedCannotBeWritten checks that refused content is neither sent again nor lost
// while failed/ cannot be written.
func TestRefusedContentWaitsWhileFailedCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"content": "some", "empty": ""} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			back := f.withoutFailed()
			f.service.fail("UploadFile", errNo)
			a, err := f.create(Root, "a", content)
			require.NoError(t, err)
			f.stuck("no such table")
			f.store.RetryNow()
			f.stuck("no such table")
			require.Equal(t, 1, f.service.count("UploadFile"))
			back()
			f.store.RetryNow()
			f.drain()
			f.absent(Root, "a")
			require.Len(t, f.store.Failed(), 1)
			require.Contains(t, f.store.Failed()[0].Reason, "no room")
			require.Equal(t, 1, f.service.count("UploadFile"))
			require.NotZero(t, a.Ino)
		})
	}
}

// TestRefusedContentThatWaitsLeavesItsNameFree checks that the name is free for other content meanwhile.
func TestRefusedContentThatWaitsLeavesItsNameFree(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]func(*Options){"direct": func(*Options) {}, "write-back": writingBack} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, mode)
			back := f.withoutFailed()
			f.service.fail("UploadFile", errNo)
			_, _ = f.create(Root, "a", "some")
			f.stuck("no such table")
			f.absent(Root, "a")
			_, err := f.create(Root, "a", "newer")
			require.NoError(t, err)
			f.eventually(func() bool { return len(f.service.all()) == 1 })
			f.stuck("no such table")
			back()
			f.store.RetryNow()
			f.drain()
			f.published("a", "newer")
			require.Equal(t, map[string]string{"a": "some"}, f.inFailed())
		})
	}
}

// TestADiscardThatCannotBeWaits checks that the discard returns why the content is not in failed/
// yet, and that it is not sent.
func TestADiscardThatCannotBeWaits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	back := f.withoutFailed()
	f.service.goAway(unreachable)
	_, err := f.create(Root, "a", "some")
	require.NoError(t, err)
	require.Error(t, f.store.DiscardQueued("a"))
	tried := f.service.count("UploadFile")
	f.service.goAway(nil)
	f.absent(Root, "a")
	back()
	f.store.RetryNow()
	f.drain()
	require.Equal(t, tried, f.service.count("UploadFile"))
	require.Equal(t, map[string]string{"a": "some"}, f.inFailed())
}

// TestAHalfThatCannotBeSetAsideIsNotSent checks that content of a killed program waits for
// failed/, even across a restart.
func TestAHalfThatCannotBeSetAsideIsNotSent(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]bool{"same mount": false, "next mount": true} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			back := f.withoutFailed()
			_, h, err := f.store.Create(Root, "a", New{})
			require.NoError(t, err)
			f.writeAll(h, "half")
			h.Abandon(errors.New("killed"))
			require.Error(t, h.Flush(ctx))
			h.Release()
			f.stuck("no such table")
			back()
			if restart {
				f.reopen()
			} else {
				f.store.RetryNow()
				f.drain()
			}
			f.absent(Root, "a")
			require.Len(t, f.store.Failed(), 1)
			require.Zero(t, f.service.count("UploadFile"))
		})
	}
}

// TestAHalfThatCannotBeSetAsideWaitsBehindWhatIsQueued checks that the older, queued content
// is sent.
func TestAHalfThatCannotBeSetAsideWaitsBehindWhatIsQueued(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	back := f.withoutFailed()
	f.service.goAway(unreachable)
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	f.appendAll(h, "half")
	h.Abandon(errors.New("killed"))
	require.Error(t, h.Flush(ctx))
	h.Release()
	f.service.goAway(nil)
	f.store.RetryNow()
	f.stuck("no such table")
	f.published("a", "one")
	back()
	f.store.RetryNow()
	f.drain()
	f.published("a", "one")
	require.Len(t, f.store.Failed(), 1)
	content, err := f.read(f.lookup(Root, "a").Ino)
	require.NoError(t, err)
	require.Equal(t, "one", content)
}

// TestLettingGoNeedsNoRoom checks that removing content from failed/ works while the database
// cannot be written, and that the content does not reappear.
func TestLettingGoNeedsNoRoom(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.fail("UploadFile", errNo)
	_, err := f.create(Root, "a", "some")
	require.Error(t, err)
	require.Len(t, f.store.Failed(), 1)
	_, err = f.state.DB().Exec("CREATE TRIGGER full BEFORE DELETE ON media_failed BEGIN SELECT RAISE(ABORT, 'full'); END")
	require.NoError(t, err)
	require.NoError(t, f.store.DiscardFailed("a"))
	require.Empty(t, f.store.Failed())
	require.Zero(t, f.store.Status().SpoolBytes)
	f.reopen()
	require.Empty(t, f.store.Failed())
}

// TestStuckContentThatIsBeingWritten checks that content that could not be queued at its close is not
// queued later while a program rewrites it, nor after that program was killed.
func TestStuckContentThatIsBeingWritten(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]func(*Options){"direct": func(*Options) {}, "write-back": writingBack} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, mode)
			dir := f.store.Spools.Path
			f.store.Spools.Path += "/nowhere"
			a, err := f.create(Root, "a", "")
			require.NoError(t, err)
			f.stuck("no such file")
			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			nodeOf(f.store, h).Body().Mu.Lock() // as for who makes a spool
			f.store.Spools.Path = dir
			nodeOf(f.store, h).Body().Mu.Unlock()
			f.writeAll(h, "half")
			f.store.RetryNow()
			require.NoError(t, f.store.Finalize(nodeOf(f.store, h)))
			require.Equal(t, Writing, f.lookup(Root, "a").Where, "a program writes")
			h.Abandon(errors.New("killed"))
			f.absent(Root, "a")
			h.Release()
			f.drain()
			require.Zero(t, f.service.count("UploadFile"))
			require.Equal(t, map[string]string{"a": "half"}, f.inFailed())
		})
	}
}
