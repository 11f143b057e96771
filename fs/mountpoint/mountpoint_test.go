package mountpoint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/sys/mountinfo"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

func TestPrepare(t *testing.T) {
	dir := testrun.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	full := filepath.Join(dir, "full")
	require.NoError(t, os.MkdirAll(filepath.Join(full, "sub"), 0o755))
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	free := filepath.Join(dir, "free")
	require.NoError(t, os.Mkdir(free, 0o755))
	require.NoError(t, os.Symlink("free", filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))

	for path, says := range map[string]string{
		full:                           "is not empty",
		file:                           "is not a directory",
		filepath.Join(dir, "dangling"): "is a symbolic link to nowhere, which is missing",
		filepath.Join(dir, "a", "b"):   "Run: mkdir -p " + filepath.Join(dir, "a"),
		filepath.Join(file, "b"):       "not a directory",
		filepath.Join(dir, "a b/c d"):  "Run: mkdir -p '" + filepath.Join(dir, "a b") + "'",
	} {
		_, err := Prepare(path, nil)
		require.ErrorIs(t, err, ErrUnusable, path)
		require.ErrorContains(t, err, says)
	}
	for path, want := range map[string]string{
		free:                                  free,
		filepath.Join(dir, "link"):            free,
		filepath.Join(dir, "new"):             filepath.Join(dir, "new"),
		filepath.Join(dir, "link", "in-link"): filepath.Join(free, "in-link"),
	} {
		place := testrun.Must(Prepare(path, nil))(t)
		require.Equal(t, want, place.Dir)
		if want != free {
			require.NoDirExists(t, want, "Prepare changes nothing")
		}
		require.NoError(t, place.Make())
		require.DirExists(t, want)
		place.Abandon()
		if want == free {
			require.DirExists(t, free, "Abandon removes only what Make created")
		} else {
			require.NoDirExists(t, want)
		}
	}
}

func TestCheckFUSE(t *testing.T) {
	dir := t.TempDir()
	_, err := checkFUSE(filepath.Join(dir, "fuse"), 0)
	require.ErrorIs(t, err, ErrNoFUSE)
	require.ErrorContains(t, err, "modprobe fuse")

	device := filepath.Join(dir, "device")
	require.NoError(t, os.WriteFile(device, nil, 0o600))
	t.Setenv("PATH", dir)
	_, err = checkFUSE(device, 1000)
	require.ErrorIs(t, err, ErrNoFUSE)
	require.ErrorContains(t, err, "apt install fuse3")
	direct := testrun.Must(checkFUSE(device, 0))(t)
	require.True(t, direct)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fusermount3"), nil, 0o755))
	direct = testrun.Must(checkFUSE(device, 0))(t)
	require.False(t, direct)
}

func TestTable(t *testing.T) {
	rows, err := mountinfo.GetMountsFromReader(strings.NewReader(`22 27 0:20 / /proc rw,nosuid shared:5 - proc proc rw
27 1 8:1 / / rw - ext4 /dev/sda1 rw
90 27 0:50 / /home/a/my\040papers rw,nosuid - fuse.paperfs paperfs#acme rw,user_id=0
91 90 0:51 / /home/a/my\040papers/papers/x rw - tmpfs tmpfs rw
92 27 0:52 / /srv/stack rw - fuse.paperfs one rw
93 92 0:53 / /srv/stack rw - fuse.paperfs two rw
`), nil)
	require.NoError(t, err)
	mounts := mountsOf(rows)
	for path, want := range map[string][2]string{
		"/home/a/my papers":              {"/home/a/my papers", "/"},
		"/home/a/my papers/papers/A":     {"/home/a/my papers", "/papers/A"},
		"/srv/stack/x":                   {"/srv/stack", "/x"},
		"/home/a/my papers/papers/x/yes": {},
		"/home/a/my papers2":             {},
		"/home":                          {},
	} {
		m, rest, ok := owner(mounts, path)
		require.Equal(t, want[0] != "", ok, path)
		require.Equal(t, want, [2]string{m.Dir, rest})
	}
	m, _, _ := owner(mounts, "/srv/stack/x")
	require.Equal(t, "two", m.Source, "the topmost of stacked mounts must be found")
}

func TestWhatIsGoneNeedsNoUnmount(t *testing.T) {
	dir := testrun.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	require.NoError(t, Unmount(dir))
	require.NoError(t, Detach(dir))
}

func TestFindOutsideAnyMount(t *testing.T) {
	_, _, err := Find(t.TempDir())
	require.ErrorIs(t, err, ErrNone)
	_, _, err = Find("/no/such/path")
	require.ErrorIs(t, err, ErrNone)
}
