package media

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/media/body"
	"paperfs/cache/media/recovery"
	"paperfs/cache/state"
)

// slowState writes no rows while it is held, but still records that a run begins and ends: Open
// and Close wait for that.
type slowState struct {
	journal.State
	rows sync.RWMutex
}

func (s *slowState) Unsynced(changes ...state.Statement) error {
	if changes[0].Args[0] != "media.run" {
		s.rows.RLock()
		defer s.rows.RUnlock()
	}
	return s.State.Unsynced(changes...)
}

// slowly returns a fixture whose state can delay writing rows.
func slowly(t *testing.T, options ...func(*Options)) (*fixture, *slowState) {
	f := newFixture(t, options...)
	slow := new(slowState)
	f.around = func(st journal.State) journal.State {
		slow.State = st
		return slow
	}
	f.reopen()
	return f, slow
}

// killed opens the state that a kill at this moment would leave, with the same service.
func (f *fixture) killed(t *testing.T, rebooted bool) *fixture {
	g := f.left(t)
	if rebooted {
		g.inState(t, "UPDATE value SET value = 'another' WHERE key = ?", recovery.BootKey)
	}
	g.open()
	t.Cleanup(g.close)
	return g
}

// left returns the fixture that killed opens.
func (f *fixture) left(t *testing.T) *fixture {
	home := t.TempDir()
	g := &fixture{t: t, service: f.service, options: f.options, now: f.clock()}
	g.dirs = f.dirs
	g.dirs.State, g.dirs.Cache = filepath.Join(home, "state"), filepath.Join(home, "cache")
	require.NoError(t, os.CopyFS(g.dirs.State, os.DirFS(f.dirs.State)))
	require.NoError(t, os.CopyFS(g.dirs.Cache, os.DirFS(f.dirs.Cache)))
	return g
}

// inState changes the state of a closed store.
func (f *fixture) inState(t *testing.T, change string, args ...any) {
	db, err := sql.Open("sqlite", filepath.Join(f.dirs.State, "state.db"))
	require.NoError(t, err)
	_, err = db.Exec(change, args...)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

func TestScratchThatWasWrittenJustBeforeAKill(t *testing.T) {
	t.Parallel()
	for _, rebooted := range []bool{false, true} {
		f, slow := slowly(t)
		f.absent(Root, "a")
		a, err := f.create(Root, ".a", "one")
		require.NoError(t, err)
		require.NoError(t, f.store.Sync())
		slow.rows.Lock()
		h, err := f.store.Open(a.Ino, true)
		require.NoError(t, err)
		f.appendAll(h, ", two")
		g := f.killed(t, rebooted)
		slow.rows.Unlock()
		h.Release()
		require.Equal(t, int64(len("one, two")), g.lookup(Root, ".a").Size)
		content, err := g.read(a.Ino)
		require.NoError(t, err)
		require.Equal(t, "one, two", content)
		require.Empty(t, g.store.Failed())
	}
}

// TestScratchThatWasShortenedJustBeforeAKill checks that such a file does not count as
// damaged.
func TestScratchThatWasShortenedJustBeforeAKill(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{0, 3} {
		f, slow := slowly(t)
		f.absent(Root, "a")
		a, err := f.create(Root, ".a", "one, two")
		require.NoError(t, err)
		require.NoError(t, f.store.Sync())
		h, err := f.store.Open(a.Ino, true)
		require.NoError(t, err)
		require.NoError(t, h.Truncate(size))
		slow.rows.Lock() // later rows are not written
		g := f.killed(t, false)
		slow.rows.Unlock()
		h.Release()
		require.Equal(t, size, g.lookup(Root, ".a").Size)
		require.Empty(t, g.store.Failed())
	}
}

// TestDiscardedContentStaysAwayAfterAKill runs rm in failed/, and kills before the row that
// removes the content from the queue is written.
func TestDiscardedContentStaysAwayAfterAKill(t *testing.T) {
	t.Parallel()
	for _, rebooted := range []bool{false, true} {
		for _, content := range []string{"small", strings.Repeat("large", body.SmallCopy)} {
			f, slow := slowly(t, writingBack)
			f.absent(Root, "a")
			f.service.fail("UploadFile", errNo)
			open := f.service.hold("UploadFile")
			_, err := f.create(Root, "a", content)
			require.NoError(t, err)
			<-f.service.entered
			slow.rows.Lock()
			open()
			f.eventually(func() bool { return len(f.store.Failed()) == 1 })
			entry := f.store.Failed()[0]
			discarded := make(chan error, 1)
			go func() { discarded <- f.store.DiscardFailed(entry.Name) }()
			f.eventually(func() bool {
				_, err := os.Stat(f.store.Failures.File(entry.ID))
				return os.IsNotExist(err)
			})
			during := f.killed(t, rebooted)
			slow.rows.Unlock()
			require.NoError(t, <-discarded)
			slow.rows.Lock()
			after := f.killed(t, rebooted)
			slow.rows.Unlock()
			f.service.fail("UploadFile", nil)
			for _, g := range []*fixture{during, after} {
				g.drain()
				require.Empty(t, g.store.Failed())
				g.absent(Root, "a")
				require.Empty(t, f.service.all())
			}
		}
	}
}

// TestContentThatTheDiskLost checks that damaged content is neither sent nor shown as
// complete, and that failed/ has the rest of it, with the reason.
func TestContentThatTheDiskLost(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("0123456789", body.SmallCopy/5)
	shorten := func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 1)) }
	remove := func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) }
	lengthen := func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 1<<20)) }
	for name, c := range map[string]struct {
		path, content string
		damage        func(*testing.T, string)
		left          string // in failed/
		whole         bool
	}{
		"scratch, shortened": {".a", large, shorten, "0", false},
		"scratch, removed":   {".a", large, remove, "", false},
		"queued, shortened":  {"a", large, shorten, "0", false},
		"queued, removed":    {"a", large, remove, "", false},
		"queued, lengthened": {"a", large, lengthen, large + strings.Repeat("\x00", 1<<20-len(large)), false},
		"copied, shortened":  {"a", "small", shorten, "", true},
		"copied, removed":    {"a", "small", remove, "", true},
		"copied, lengthened": {"a", "small", lengthen, "", true},
	} {
		for _, rebooted := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				f := newFixture(t, writingBack)
				f.absent(Root, "a")
				f.service.goAway(unreachable)
				f.options.Debounce = time.Hour
				f.reopen()
				_, err := f.create(Root, c.path, c.content)
				require.NoError(t, err)
				if rebooted {
					require.NoError(t, f.state.SetValue(recovery.BootKey, "another"))
				}
				f.close()
				spools, err := filepath.Glob(filepath.Join(f.store.Spools.Path, "*"))
				require.NoError(t, err)
				require.Len(t, spools, 1)
				c.damage(t, spools[0])
				f.service.goAway(nil)
				f.options.Debounce = -1
				f.open()
				f.drain()
				f.reopen()
				if c.whole {
					f.published(c.path, c.content)
					require.Empty(t, f.store.Failed())
					return
				}
				require.Zero(t, len(f.service.all()))
				f.absent(Root, c.path)
				f.failedWith(true, c.left)
				require.Contains(t, f.store.Failed()[0].Reason, "of its 131070 bytes")
			})
		}
	}
}

// TestADamagedNewVersionOfAFile checks that the mount shows the service's version of the file.
func TestADamagedNewVersionOfAFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.absent(Root, "a")
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	f.drain()
	f.service.goAway(unreachable)
	require.NoError(t, f.overwrite(a.Ino, strings.Repeat("two", body.SmallCopy)))
	f.close()
	spools, err := filepath.Glob(filepath.Join(f.store.Spools.Path, "*"))
	require.NoError(t, err)
	require.Len(t, spools, 1)
	require.NoError(t, os.Remove(spools[0]))
	f.service.goAway(nil)
	f.open()
	f.drain()
	f.published("a", "one")
	require.Equal(t, Published, f.lookup(Root, "a").Where)
	f.failedWith(true, "")
}

// TestAQueuedPDFThatTheDiskLost checks that a damaged PDF is not sent, and that failed/ has
// the rest of it.
func TestAQueuedPDFThatTheDiskLost(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int64{"shortened": 3, "emptied": 0, "lengthened": 20, "whole": 11} {
		t.Run(name, func(t *testing.T) {
			f, papers := withPapers(t, writingBack)
			papers.goAway(unreachable)
			require.NoError(t, f.put("%PDF of one"))
			f.close()
			spools, err := filepath.Glob(filepath.Join(f.store.Spools.Path, "*"))
			require.NoError(t, err)
			require.Len(t, spools, 1)
			require.NoError(t, os.Truncate(spools[0], size))
			papers.goAway(nil)
			f.open()
			f.drain()
			if name == "whole" {
				require.Equal(t, []string{"7: %PDF of one"}, papers.arrived())
				require.Empty(t, f.store.Failed())
				return
			}
			require.Empty(t, papers.arrived())
			require.Len(t, f.store.Failed(), 1)
			require.Contains(t, f.store.Failed()[0].Reason, "of its 11 bytes")
			require.Equal(t, size, f.store.Failed()[0].Size)
		})
	}
}

// TestDamagedScratchIsKeptByASecondKill kills a second time before the row without the name is
// written.
func TestDamagedScratchIsKeptByASecondKill(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "a")
	_, err := f.create(Root, ".a", "one, two")
	require.NoError(t, err)
	f.close()
	spools, err := filepath.Glob(filepath.Join(f.store.Spools.Path, "*"))
	require.NoError(t, err)
	require.Len(t, spools, 1)
	require.NoError(t, os.Truncate(spools[0], 3))
	slow := new(slowState)
	f.around = func(st journal.State) journal.State {
		slow.State = st
		return slow
	}
	slow.rows.Lock()
	f.open()
	f.failedWith(true, "one")
	g := f.killed(t, false)
	slow.rows.Unlock()
	for range 2 {
		g.failedWith(true, "one")
		g.absent(Root, ".a")
		g.reopen()
	}
}
