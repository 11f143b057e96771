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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// mediaWindow is how many files the other client of TestMediaSoak keeps.
const mediaWindow = 8

// TestMediaSoak checks listings of a directory in which another client creates files and deletes
// the oldest, while the mount also creates and removes files. Each listing must be one that the
// directory had at some time, and the mount's own changes must show at once.
func TestMediaSoak(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--tree-ttl", "100ms", "--allow-delete")
	o := others{t, m.client()}
	dir := o.mediaDir(0, "d")
	ids := map[int]int64{}
	for i := range mediaWindow {
		ids[i] = o.upload(dir, windowName(i), "x")
	}
	m.sh(`ls media/d; echo > .paperfs/refresh`)
	at := filepath.Join(m.dir, "media/d")

	ctx, cancel := context.WithTimeout(t.Context(), testrun.Patience())
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
	made, most := mediaWindow, mediaWindow+20
	if testrun.All() {
		most = mediaWindow + 300
	}
	run(func(int) error {
		if made == most {
			cancel()
			return nil
		}
		up, err := o.UploadFile(t.Context(), dir, windowName(made), bytesOf("x"))
		if err != nil {
			return err
		}
		ids[made] = up.FileID
		made++
		return o.DeleteFile(t.Context(), ids[made-1-mediaWindow])
	})
	run(func(n int) error { return ownFile(at, fmt.Sprintf("own-%d", n)) })
	run(func(int) error { return os.WriteFile(filepath.Join(m.dir, ".paperfs/refresh"), []byte("\n"), 0o200) })
	for range 3 {
		run(func(int) error { return checkWindow(at) })
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
	for i := made - mediaWindow; i < made; i++ {
		want = append(want, windowName(i))
	}
	assert.Equal(t, strings.Join(want, "\n"), m.sh(`ls media/d`))
	require.Equal(t, most, made, "the other client was too slow")
}

func windowName(i int) string { return fmt.Sprintf("n-%06d", i) }

// ownFile creates a file and removes it, and looks it up in between and afterwards.
func ownFile(dir, name string) error {
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("own"), 0o600); err != nil {
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

// checkWindow lists the directory once. Without the mount's own files, it must hold mediaWindow
// consecutive names, or one more while the oldest is being deleted.
func checkWindow(dir string) error {
	names, err := namesIn(dir)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "own-") })
	slices.Sort(names)
	if len(names) != mediaWindow && len(names) != mediaWindow+1 {
		return fmt.Errorf("%d files of the other client, never were there so many: %v", len(names), names)
	}
	var first int
	if _, err := fmt.Sscanf(names[0], "n-%d", &first); err != nil {
		return err
	}
	for i, name := range names {
		if name != windowName(first+i) {
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
