package state

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// opened returns a state with a value and a directory spool/.
func opened(t *testing.T) *State {
	s, err := Open(dirs(t), "/mnt/a")
	require.NoError(t, err)
	s.Dir("spool")
	require.NoError(t, s.SetValue("key", "kept"))
	require.NoError(t, s.Whole())
	return s
}

// TestAStateThatIsRemovedOrReplacedIsLost does it to each part. No change is committed from then on, also if everything is put
// back, what was committed can be read, and the mount is told once. The next mount has what is there.
func TestAStateThatIsRemovedOrReplacedIsLost(t *testing.T) {
	t.Parallel()
	remove := func(name string) func(string) error {
		return func(dir string) error { return os.RemoveAll(filepath.Join(dir, name)) }
	}
	for name, lose := range map[string]func(dir string) error{
		"all of it":           remove(""),
		"its spool":           remove("spool"),
		"its lock":            remove("lock"),
		"its database":        remove("state.db"),
		"its log":             remove("state.db-wal"),
		"it is moved":         func(dir string) error { return os.Rename(dir, dir+".moved") },
		"its spool is moved":  func(dir string) error { return os.Rename(dir+"/spool", dir+"/away") },
		"an emptied database": func(dir string) error { return os.Truncate(dir+"/state.db", 0) },
		"another database": func(dir string) error {
			content, err := os.ReadFile(dir + "/state.db")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(dir+"/old", content, 0o600))
			return os.Rename(dir+"/old", dir+"/state.db")
		},
		"another spool": func(dir string) error {
			require.NoError(t, os.Remove(dir+"/spool"))
			return os.Mkdir(dir+"/spool", 0o700)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := opened(t)
			told := make(chan error, 2)
			s.Tell(func(err error) { told <- err })
			require.NoError(t, lose(s.dirs.State))
			var lost *LostError
			require.ErrorAs(t, s.SetValue("key", "lost"), &lost)
			require.ErrorAs(t, s.Unsynced(Statement{Text: "DELETE FROM value"}), &lost)
			require.ErrorAs(t, s.Sync(), &lost)
			require.ErrorAs(t, <-told, &lost)
			require.Contains(t, lost.Error(), s.dirs.State)
			require.Contains(t, lost.Error(), "unmount and mount again")
			value, _, err := s.Value("key")
			require.NoError(t, err)
			require.Equal(t, "kept", value)
			require.NoError(t, s.Close())
			require.Empty(t, told)
		})
	}
}

// TestTheRowsOfALostState checks what the next mount finds of a state of which only a part was removed.
func TestTheRowsOfALostState(t *testing.T) {
	t.Parallel()
	for part, has := range map[string]bool{"spool": true, "lock": true, "state.db-wal": true, "state.db": false, "": false} {
		s := opened(t)
		require.NoError(t, os.RemoveAll(filepath.Join(s.dirs.State, part)))
		require.Error(t, s.Whole())
		require.Equal(t, has, s.has(database), part)
		require.NoError(t, s.Close())
		s, err := Open(s.dirs, "/mnt/a")
		require.NoError(t, err)
		_, kept, err := s.Value("key")
		require.NoError(t, err)
		require.Equal(t, has, kept, part)
		require.NoError(t, s.Close())
	}
}

// TestAnAccountThatAnotherMountHasTakenIsItsOwn removes the directory, and opens the account again before the first mount
// notices. The end of that mount leaves the other one's database and log alone.
func TestAnAccountThatAnotherMountHasTakenIsItsOwn(t *testing.T) {
	t.Parallel()
	s := opened(t)
	require.NoError(t, os.RemoveAll(s.dirs.State))
	other, err := Open(s.dirs, "/mnt/b")
	require.NoError(t, err)
	require.NoError(t, other.SetValue("key", "theirs"))
	require.Error(t, s.SetValue("key", "ours"))
	require.NoError(t, s.Close())
	require.NoError(t, other.Whole())
	require.NoError(t, other.Close())
	other, err = Open(s.dirs, "/mnt/b")
	require.NoError(t, err)
	value, _, err := other.Value("key")
	require.NoError(t, err)
	require.Equal(t, "theirs", value)
	require.NoError(t, other.Close())
}
