package media

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/journal"
	"paperfs/cache/media/body"
	"paperfs/cache/state"
)

// cutState copies what a kill would leave after each write of rows, until it is released.
type cutState struct {
	journal.State
	copy     func()
	released atomic.Bool
}

func (c *cutState) Unsynced(changes ...state.Statement) error {
	err := c.State.Unsynced(changes...)
	if !c.released.Load() {
		c.copy()
	}
	return err
}

// TestAKillWhileAKilledMountIsOpened checks that half-written content of the first kill is not
// mistaken for queued content, although entries of failed/ were erased to make room.
func TestAKillWhileAKilledMountIsOpened(t *testing.T) {
	t.Parallel()
	f, slow := slowly(t, writingBack)
	f.absent(Root, "a")
	f.service.goAway(unreachable)
	_, err := f.create(Root, ".a", "scratch")
	require.NoError(t, err)
	whole := map[string]string{}
	for i := range 4 {
		name := fmt.Sprint("f", i)
		whole[name] = strings.Repeat("whole "+name, body.SmallCopy)
		a, err := f.create(Root, name, whole[name])
		require.NoError(t, err)
		older := filepath.Join(f.store.Failures.Dir, "older")
		require.NoError(t, os.WriteFile(older, []byte("older"), 0o600))
		require.NoError(t, f.store.Failures.Add(older, failed.Entry{Path: name, Reason: "no", Size: 5}))
		h, err := f.store.Open(a.Ino, true)
		require.NoError(t, err)
		require.NoError(t, h.Truncate(0))
		f.writeAll(h, "half")
		defer h.Release()
	}
	require.NoError(t, f.store.Sync())
	slow.rows.Lock()
	copyTo := func(dirs *state.Dirs) {
		home := t.TempDir()
		to := state.Dirs{State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}
		require.NoError(t, os.CopyFS(to.State, os.DirFS(dirs.State)))
		require.NoError(t, os.CopyFS(to.Cache, os.DirFS(dirs.Cache)))
		*dirs = to
	}
	first := f.dirs
	copyTo(&first)
	slow.rows.Unlock()

	second := []state.Dirs{}
	cut := &cutState{}
	cut.copy = func() {
		dirs := first
		copyTo(&dirs)
		second = append(second, dirs)
	}
	g := &fixture{t: t, service: newFakeService(), options: f.options, now: f.clock(), dirs: first}
	g.options.Service, g.options.Paused = g.service, true
	g.around = func(st journal.State) journal.State { cut.State = st; return cut }
	g.open()
	cut.released.Store(true)
	g.close()
	second = append(second, first)
	t.Log(len(second), "kills")

	for _, dirs := range second {
		g := &fixture{t: t, service: newFakeService(), options: f.options, now: f.clock(), dirs: dirs}
		g.options.Service = g.service
		g.open()
		g.drain()
		require.Equal(t, whole, g.service.all())
		for _, e := range g.store.Failed() {
			require.EqualValues(t, len("half"), e.Size, e.Path)
		}
		g.close()
	}
}
