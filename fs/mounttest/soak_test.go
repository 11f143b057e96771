package mounttest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// soakWindow is how many papers or files the other client of TestSoak keeps.
const soakWindow = 8

// soaked is a directory that another client changes.
type soaked struct {
	path, suffix string // in the mount, and of the names that the other client makes
	create       func(name string) (int64, error)
	remove       func(ctx context.Context, id int64) error
	own          func(path string) error // makes a name in the mount
}

// TestSoak checks listings of a category, and of a directory of media/, in which another client makes papers or files and
// deletes the oldest, while the mount also makes and removes names. Each listing must be one that the directory had at some
// time, and the mount's own changes must show at once. PAPERFS_SOAK=10m
// makes it longer.
func TestSoak(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--tree-ttl", "100ms", "--allow-delete")
	o := others{t, m.client()}
	category, dir := o.category("/", "d"), o.mediaDir(0, "d")
	for name, d := range map[string]soaked{
		"papers": {"papers/d", ".paper", func(name string) (int64, error) { return o.CreatePaper(t.Context(), category, name, name) }, o.DeletePaper,
			func(path string) error { return os.Mkdir(path, 0o700) }},
		"media": {"media/d", "", func(name string) (int64, error) {
			up, err := o.UploadFile(t.Context(), dir, name, bytesOf("x"))
			return up.FileID, err
		}, o.DeleteFile, func(path string) error { return os.WriteFile(path, []byte("own"), 0o600) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d.soak(t, m)
		})
	}
}

func (d soaked) soak(t *testing.T, m *mounted) {
	most, long := soakWindow+20, time.Duration(0)
	if testrun.All() {
		most = soakWindow + 300
	}
	if text := os.Getenv("PAPERFS_SOAK"); text != "" {
		var err error
		long, err = time.ParseDuration(text)
		require.NoError(t, err)
	}
	var ids []int64
	for i := range soakWindow {
		id := testrun.Must(d.create(windowName(i)))(t)
		ids = append(ids, id)
	}
	m.sh(`echo > .paperfs/refresh`)
	at := filepath.Join(m.dir, d.path)
	m.eventually(`test -d ` + d.path)

	ctx, cancel := context.WithTimeout(t.Context(), long+testrun.Patience())
	defer cancel()
	failures := make(chan error, 16)
	var work sync.WaitGroup
	run := func(step func(n int) error) {
		work.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				if err := step(n); err != nil {
					failures <- err
					cancel()
				}
			}
		})
	}
	began := time.Now()
	run(func(int) error {
		if len(ids) >= most && time.Since(began) >= long {
			cancel()
			return nil
		}
		id, err := d.create(windowName(len(ids)))
		if err != nil {
			return err
		}
		ids = append(ids, id)
		return d.remove(t.Context(), ids[len(ids)-1-soakWindow])
	})
	run(func(n int) error { return d.ownName(at, fmt.Sprintf("own-%d", n)) })
	run(func(int) error { return os.WriteFile(filepath.Join(m.dir, ".paperfs/refresh"), []byte("\n"), 0o200) })
	for range 3 {
		run(func(int) error { return d.checkWindow(at) })
	}
	work.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	if t.Failed() {
		return
	}
	m.sh(`echo > .paperfs/refresh`)
	var want []string
	for i := len(ids) - soakWindow; i < len(ids); i++ {
		want = append(want, windowName(i)+d.suffix)
	}
	assert.Equal(t, strings.Join(want, "\n"), m.sh(`ls `+d.path))
	require.GreaterOrEqual(t, len(ids), most, "the other client was too slow")
}

func windowName(i int) string { return fmt.Sprintf("n-%06d", i) }

// ownName makes a name and removes it, and looks it up in between and afterwards.
func (d soaked) ownName(dir, name string) error {
	path := filepath.Join(dir, name)
	if err := d.own(path); err != nil {
		return err
	}
	if names, err := namesIn(dir); err != nil || !slices.Contains(names, name) {
		return fmt.Errorf("%s was made and is not among %v: %w", name, names, err)
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	if names, err := namesIn(dir); err != nil || slices.Contains(names, name) {
		return fmt.Errorf("%s was removed and is among %v: %w", name, names, err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s was removed and is there: %w", name, err)
	}
	return nil
}

// checkWindow lists the directory once. Without the mount's own names, it must hold soakWindow
// consecutive ones, or one more while the oldest is being deleted. It may be older than one before: the mount shows its own changes
// at once, on a tree that may lack later ones of others.
func (d soaked) checkWindow(dir string) error {
	names, err := namesIn(dir)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "own-") })
	slices.Sort(names)
	if len(names) != soakWindow && len(names) != soakWindow+1 {
		return fmt.Errorf("%d names of the other client, never were there so many: %v", len(names), names)
	}
	var first int
	if _, err := fmt.Sscanf(names[0], "n-%d", &first); err != nil {
		return err
	}
	for i, name := range names {
		if name != windowName(first+i)+d.suffix {
			return fmt.Errorf("never was that so: %v", names)
		}
	}
	return nil
}

func namesIn(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}
