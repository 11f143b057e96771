package media

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// unpackEarlier unpacks the state directory that the last version with spools called INO-SERIAL and
// with a table of moves left when it was killed.
func unpackEarlier(t *testing.T, dir string) {
	f, err := os.Open("testdata/earlier.tar.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		path := filepath.Join(dir, filepath.FromSlash(head.Name))
		require.True(t, fs.ValidPath(head.Name), head.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
}

// beforeTheKill is what the service had when the earlier version was killed.
func (f *fakeService) beforeTheKill() {
	f.next = 100
	for _, name := range []string{"kept", "edited", "replaced", "emptied", "old"} {
		f.set(0, name, "the service's "+name)
	}
	f.set(0, "new", "the service's old") // a move was cut before its deletion
}

// TestTheStateOfAnEarlierVersion checks that nothing of an earlier version's state is lost, after a
// kill and after the end of the machine.
func TestTheStateOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	for name, rebooted := range map[string]bool{"same boot": false, "another boot": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			unpackEarlier(t, dir)
			f := newFixtureIn(t, dir, rebooted)
			large := strings.Repeat("large", 20_000)

			var queue []string
			for _, q := range f.store.Queue() {
				queue = append(queue, q.Path)
			}
			require.ElementsMatch(t, []string{"queued", "large", "replaced", "rewritten", "empty", "dir", "dir/in it", "papers/a.paper/source.pdf"}, queue)
			require.Equal(t, map[string]string{
				"edited": "half", "emptied": "", "rewritten": "newer half", "begun": "half", "refused": "no",
				"/papers/b.paper/source.pdf": "%PDF of half", "/papers/c.paper/source.pdf": "%PDF refused",
			}, f.inFailed())
			for path, content := range map[string]string{
				"kept": "the service's kept", "edited": "the service's edited", "emptied": "the service's emptied",
				"queued": "small", "large": large, "replaced": "newer", "rewritten": "queued", "empty": "",
				".scratch": "stays", ".other": "stays", ".empty": "",
			} {
				read, err := f.read(f.lookup(Root, path).Ino)
				require.NoError(t, err)
				require.Equal(t, content, read, path)
			}
			require.Equal(t, f.lookup(Root, ".scratch").Ino, f.lookup(Root, ".other").Ino)
			require.Equal(t, "away", f.lookup(Root, ".link").Target)
			require.EqualValues(t, 0o640, f.lookup(Root, "queued").Mode)
			f.absent(Root, "removed")
			f.absent(Root, ".removed")
			if rebooted {
				f.lookup(Root, ".gone") // the log of removals was not synced
			} else {
				f.absent(Root, ".gone")
			}

			require.Len(t, f.store.QueuedPDFs(), 1)
			d := f.store.QueuedPDFs()[0]
			require.Equal(t, []any{int64(7), "pages", true}, []any{d.About().Paper, d.About().Seen, d.About().New})
			f.store.Start()
			f.eventually(func() bool { return len(f.store.Queue()) == 1 }) // the PDF waits for its publisher
			for path, content := range map[string]string{
				"kept": "the service's kept", "edited": "the service's edited", "emptied": "the service's emptied",
				"queued": "small", "large": large, "replaced": "newer", "rewritten": "queued", "empty": "", "dir/in it": "in it",
				"old": "the service's old", "new": "the service's old",
			} {
				f.published(path, content)
			}
			require.NoError(t, f.store.Await(ctx))
			f.eventually(func() bool { f.mu.Lock(); defer f.mu.Unlock(); return slices.Contains(f.reports, errCut) }) // of new
			f.reopen()
			require.Len(t, f.store.Failed(), 7)
			require.Len(t, f.store.QueuedPDFs(), 1)
		})
	}
}

// newFixtureIn opens the state in dir.
func newFixtureIn(t *testing.T, dir string, rebooted bool) *fixture {
	boot := "another"
	if !rebooted {
		id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
		require.NoError(t, err)
		boot = string(id)
	}
	closed := &fixture{t: t}
	closed.dirs.State = filepath.Join(dir, "state")
	closed.inState(t, "UPDATE value SET value = ? WHERE key = ?", boot, bootKey)
	f := makeFixture(t, dir, writingBack, deleting, func(o *Options) {
		o.Service.(*fakeService).beforeTheKill()
		o.Paused, o.TTL = true, time.Hour
	})
	t.Cleanup(f.close)
	return f
}
