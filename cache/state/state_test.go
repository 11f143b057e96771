package state

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/durable"
)

func dirs(t *testing.T) Dirs {
	return AccountDirs(filepath.Join(t.TempDir(), "sta te%20?#"), t.TempDir(), "https://acme.example/base", "APIKey")
}

func TestValuesOutliveTheirMount(t *testing.T) {
	d := dirs(t)
	s, err := Open(d, "/mnt/a")
	require.NoError(t, err)
	_, known, err := s.Value("root")
	require.NoError(t, err)
	require.False(t, known)
	require.NoError(t, s.SetValue("root", "1"))
	require.NoError(t, s.SetValue("root", "7001"))
	require.NoError(t, s.Close())

	s, err = Open(d, "/mnt/a")
	require.NoError(t, err)
	defer s.Close()
	value, known, err := s.Value("root")
	require.NoError(t, err)
	require.True(t, known)
	require.Equal(t, "7001", value)
}

func TestDatabaseIsDurableAndPrivate(t *testing.T) {
	d := dirs(t)
	s, err := Open(d, "/mnt/a")
	require.NoError(t, err)
	defer s.Close()
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
		var got string
		require.NoError(t, s.DB().QueryRow("PRAGMA "+pragma).Scan(&got))
		require.Equal(t, want, got, pragma)
	}
	for path, want := range map[string]os.FileMode{
		d.State: 0o700, d.Cache: 0o700, s.Dir("spool"): 0o700, s.CacheDir("content"): 0o700,
		filepath.Join(d.State, "state.db"): 0o600, filepath.Join(d.State, "lock"): 0o600,
	} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm(), path)
	}
}

func TestSecondMountLearnsOfTheFirst(t *testing.T) {
	d := dirs(t)
	s, err := Open(d, "/mnt/with\nnewline")
	require.NoError(t, err)
	_, err = Open(d, "/mnt/b")
	var held *HeldError
	require.ErrorAs(t, err, &held)
	require.Equal(t, Holder{Mountpoint: "/mnt/with\nnewline", PID: os.Getpid()}, held.Holder)
	require.Contains(t, err.Error(), "/mnt/with")

	require.NoError(t, s.Close())
	s, err = Open(d, "/mnt/b")
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// TestTheLastMountOfAMountPointIsKnown checks that the last mount, with its connection, is
// known until it is unmounted, also after a kill.
func TestTheLastMountOfAMountPointIsKnown(t *testing.T) {
	home := t.TempDir()
	d := AccountDirs(home, home, "http://one.example", "k")
	const at = "/mnt/with\nnewline"
	require.Empty(t, LastAt(home, at))
	s, err := Open(d, at)
	require.NoError(t, err)
	me := Holder{Mountpoint: at, PID: os.Getpid()}
	require.Equal(t, []Last{{me, d.State, true}}, LastAt(home, at))
	me.Connection = "39 4711"
	require.NoError(t, s.NoteConnection(me.Connection))
	require.Equal(t, []Last{{me, d.State, true}}, LastAt(home, at))
	require.Empty(t, LastAt(home, "/mnt/with"))
	_, err = Open(d, "/mnt/b")
	var held *HeldError
	require.ErrorAs(t, err, &held)
	require.Equal(t, me, held.Holder)

	lock, err := os.ReadFile(filepath.Join(d.State, lockName))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.Empty(t, LastAt(home, at), "the mount was unmounted")
	require.NoError(t, os.WriteFile(filepath.Join(d.State, lockName), lock, 0o600))
	require.Equal(t, []Last{{me, d.State, false}}, LastAt(home, at), "the mount was killed")
}

func TestLockThatNobodyHoldsIsNoObstacle(t *testing.T) {
	d := dirs(t)
	require.NoError(t, os.MkdirAll(d.State, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(d.State, "lock"), []byte("4711\n/mnt/long/gone/mount/point"), 0o600))
	s, err := Open(d, "/m")
	require.NoError(t, err)
	content, err := os.ReadFile(filepath.Join(d.State, "lock"))
	require.NoError(t, err)
	require.NotContains(t, string(content), "gone")
	require.NoError(t, s.Close())
}

func TestNewerSchemaIsRefused(t *testing.T) {
	d := dirs(t)
	s, err := Open(d, "/m")
	require.NoError(t, err)
	_, err = s.DB().Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9000, 1)")
	require.NoError(t, err)
	require.NoError(t, s.Close())

	_, err = Open(d, "/m")
	var newer *durable.NewerError
	require.ErrorAs(t, err, &newer)
	require.EqualValues(t, 9000, newer.Have)
	require.Contains(t, err.Error(), "newer paperfs")

	_, err = Open(d, "/m")
	require.ErrorAs(t, err, &newer, "the refusal must not keep the lock")
}

func TestFileThatIsNoDatabaseIsLeftAlone(t *testing.T) {
	d := dirs(t)
	require.NoError(t, os.MkdirAll(d.State, 0o700))
	path := filepath.Join(d.State, "state.db")
	garbage := make([]byte, 8192)
	copy(garbage, "this is something else")
	require.NoError(t, os.WriteFile(path, garbage, 0o600))
	_, err := Open(d, "/m")
	require.ErrorContains(t, err, path)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, garbage, content)
}

func TestAccountDirs(t *testing.T) {
	of := func(base, user string) string { return AccountDirs("/s", "/c", base, user).State }
	require.Equal(t, of("https://acme.example/x", "u"), of(" HTTPS://Acme.Example:443/x/ ", "u"))
	require.NotEqual(t, of("https://acme.example", "u"), of("https://acme.example", "v"))
	require.NotEqual(t, of("https://acme.example", "u"), of("https://acme.example/a", "u"))
	require.NotEqual(t, of("https://acme.example", "u"), of("http://acme.example", "u"))
	require.Equal(t, of("https://me:secret@acme.example", "u"), of("https://acme.example", "u"))
	for base, want := range map[string]string{
		"https://acme.example":  "acme.example-",
		"http://127.0.0.1:8080": "127.0.0.1-8080-",
		"http://[::1]:8080":     "1--8080-",
		"../../etc":             "etc-",
		"":                      "service-",
	} {
		require.Regexp(t, `^/s/paperfs/`+want+`[0-9a-f]{16}$`, of(base, "u"), base)
	}
}
