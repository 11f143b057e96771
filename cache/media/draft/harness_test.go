package draft

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/disk"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/spool"
	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/remote"
)

// shelf is the set of drafts of one mount after another, without a store.
type shelf struct {
	*Set
	t     *testing.T
	dir   string
	state *state.State
	last  inode.Ino
}

func newShelf(t *testing.T) *shelf {
	t.Parallel()
	s := &shelf{t: t, dir: t.TempDir(), last: 100}
	dirs := state.Dirs{State: filepath.Join(s.dir, "state"), Cache: filepath.Join(s.dir, "cache")}
	statetest.Prepare(t, dirs)
	var err error
	s.state, err = state.Open(dirs, "/mnt")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.state.Close()) })
	for _, name := range []string{"spool", "failed", "content"} {
		require.NoError(t, os.MkdirAll(filepath.Join(s.dir, name), 0o700))
	}
	s.reopen()
	return s
}

// reopen is the next mount after a kill.
func (s *shelf) reopen() {
	room, sound := &disk.Room{Disk: disk.Disk{Dir: s.dir, Reserve: -1, Free: disk.Free}}, &disk.Soundness{}
	spools := &spool.Dir{Path: filepath.Join(s.dir, "spool"), Room: room, Sound: sound}
	failures := &failed.Store{DB: s.state.DB(), Dir: filepath.Join(s.dir, "failed"), Room: room, Now: time.Now, Sync: spools.SyncDir,
		Written: func() error { return nil }, Log: slog.New(slog.DiscardHandler)}
	require.NoError(s.t, failures.Load())
	contents, err := contentcache.New(disk.Disk{Dir: filepath.Join(s.dir, "content"), Reserve: -1, Free: disk.Free}, 1<<30, nil)
	require.NoError(s.t, err)
	s.Set = NewSet(Options{State: s.state, Spools: spools, Failures: failures, Contents: contents, Room: room, Sound: sound, Progress: &spool.Progress{},
		Senders: 1, Pause: func(int, error) time.Duration { return time.Hour }, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Ino:   func() inode.Ino { s.last++; return s.last },
		Enter: func() error { return nil }, Leave: func() {}, Tried: func(error) {},
	})
	left, err := spools.Leftovers()
	require.NoError(s.t, err)
	require.NoError(s.t, s.Recover(left))
	require.Empty(s.t, left, "a spool belongs to no draft")
	require.NoError(s.t, failures.Forget())
	require.NoError(s.t, spools.Forget())
}

// written returns a draft with content.
func (s *shelf) written(path, content string) *Draft {
	d := s.New(7, path)
	_, err := d.WriteAt([]byte(content), 0)
	require.NoError(s.t, err)
	return d
}

// queued returns a draft whose content is queued, for a paper that was seen in a state.
func (s *shelf) queued(path, content, seen string) *Draft {
	d := s.written(path, content)
	require.NoError(s.t, d.Queue(Queuing{Seen: seen, Written: time.Unix(1e9, 0), Check: func(remote.Content) error { return nil }}))
	return d
}

// holds requires the contents of failed/, by path, and returns the reasons.
func (s *shelf) holds(want map[string]string) (reasons map[string]string) {
	s.t.Helper()
	got, reasons := map[string]string{}, map[string]string{}
	for _, e := range s.o.Failures.List() {
		content, err := os.ReadFile(s.o.Failures.File(e.ID))
		require.NoError(s.t, err)
		got[e.Path], reasons[e.Path] = string(content), e.Reason
	}
	require.Equal(s.t, want, got)
	return reasons
}

// sends returns a service that reads all of the content, then runs finish, and answers.
func sends(to *string, answer error) func(remote.Content) (string, error) {
	return func(c remote.Content) (string, error) {
		r, err := c.Open()
		if err != nil {
			return "", err
		}
		content, err := io.ReadAll(r)
		if f, ok := c.(remote.Finisher); ok && err == nil && !errors.Is(answer, errEarly) {
			err = f.Finish()
		}
		*to = string(content)
		return "", errors.Join(answer, err)
	}
}

// errEarly is the answer of a service that refuses before it has all content.
var errEarly = errors.New("refused before all was sent")
