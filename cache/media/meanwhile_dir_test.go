package media

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/body"
)

// meanwhile calls do during the next first sync of a spool.
func (f *fixture) meanwhile(t *testing.T, do func() error) {
	var once sync.Once
	syncing(t, func(file *os.File, sync func(*os.File) error) error {
		if strings.HasPrefix(file.Name(), f.store.Spools.Path) {
			once.Do(func() {
				done := make(chan error)
				go func() { done <- do() }() // the caller of the sync holds locks
				require.NoError(t, <-done)
			})
		}
		return sync(file)
	})
}

// TestATargetThatChangesWhileARenameIsMadeDurable checks that the content to queue becomes
// scratch if the target directory does so in the meantime, and that the rename fails if the
// directory is removed.
func TestATargetThatChangesWhileARenameIsMadeDurable(t *testing.T) {
	large := strings.Repeat("content ", body.SmallCopy)
	for name, c := range map[string]struct {
		source string // next to others that stay
		gone   bool
	}{
		"a file, and the target becomes scratch":      {".a", false},
		"a file, and the target is removed":           {".a", true},
		"a directory, and the target becomes scratch": {".w", false},
		"a directory, and the target is removed":      {".w", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			f.service.goAway(unreachable)
			dir := f.mkdir(Root, "d")
			in := f.mkdir(Root, ".w")
			for at, name := range map[Ino]string{Root: ".a", in: "b"} {
				_, err := f.create(at, name, large)
				require.NoError(t, err)
			}
			f.meanwhile(t, func() error {
				if c.gone {
					return f.store.Rmdir(ctx, Root, "d")
				}
				return f.rename(Root, "d", Root, ".d")
			})
			err := f.rename(Root, c.source, dir, "x")
			f.service.goAway(nil)
			f.store.RetryNow()
			f.drain()
			require.Empty(t, f.service.all())
			for range 2 {
				if c.gone {
					require.True(t, Is(err, NotFound), "%v", err)
					require.Equal(t, Local, f.lookup(Root, c.source).Where)
				} else {
					require.NoError(t, err)
					require.Equal(t, Local, f.lookup(f.lookup(Root, ".d").Ino, "x").Where)
				}
				f.reopen()
			}
			require.Empty(t, f.store.Failed())
		})
	}
}

// TestAScratchTargetThatChangesWhileTheServiceDeletes checks that a published file that was to
// become scratch stays at the service if its new directory is removed, or becomes visible,
// before the deletion at the service.
func TestAScratchTargetThatChangesWhileTheServiceDeletes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(f *fixture) error{
		"the directory is removed":      func(f *fixture) error { return f.store.Rmdir(ctx, Root, ".d") },
		"the directory becomes visible": func(f *fixture) error { return f.rename(Root, ".d", Root, "d") },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, deleting)
			_, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			dir := f.mkdir(Root, ".d")
			open := f.service.hold("DeleteFile")
			renamed := make(chan error)
			go func() { renamed <- f.rename(Root, "a", dir, "a") }()
			<-f.service.entered
			require.NoError(t, change(f))
			open()
			require.True(t, Is(<-renamed, NotFound))
			f.drain()
			for range 2 {
				require.Equal(t, map[string]string{"a": "one"}, f.service.all())
				require.Equal(t, Published, f.lookup(Root, "a").Where)
				f.reopen()
			}
			require.Empty(t, f.store.Failed())
		})
	}
}
