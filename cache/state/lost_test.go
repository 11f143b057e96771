package state

import (
	"context"
	"database/sql/driver"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// written returns a state with a value, and a copy of its database without that value.
func written(t *testing.T) (s *State, old string) {
	d := dirs(t)
	s, err := Open(d, "/mnt/a")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	content, err := os.ReadFile(s.path())
	require.NoError(t, err)
	old = filepath.Join(d.State, "old")
	require.NoError(t, os.WriteFile(old, content, 0o600))
	s, err = Open(d, "/mnt/a")
	require.NoError(t, err)
	require.NoError(t, s.SetValue("key", "kept"))
	return s, old
}

// TestAnOldCopyDoesNotComeBack checks that Open does not restore an old copy while the
// database that replaced it exists.
func TestAnOldCopyDoesNotComeBack(t *testing.T) {
	s, old := written(t)
	require.NoError(t, s.Close())
	require.NoError(t, os.Rename(old, s.path()+back))
	s, err := Open(s.dirs, "/mnt/a")
	require.NoError(t, err)
	require.NoFileExists(t, s.path()+back)
	require.FileExists(t, s.path()+".kept")
	value, _, err := s.Value("key")
	require.NoError(t, err)
	require.Equal(t, "kept", value)
	require.NoError(t, s.Close())
}

// TestACopyThatIsTakenIsNotWrittenAgain lets WriteBack wait for a connection, which restores
// the database in the meantime.
func TestACopyThatIsTakenIsNotWrittenAgain(t *testing.T) {
	s, copied := written(t)
	require.NoError(t, os.Rename(copied, s.path()+back))
	c, err := s.db.Conn(context.Background())
	require.NoError(t, err)
	_ = c.Raw(func(any) error { return driver.ErrBadConn })
	require.NoError(t, os.Remove(s.path()))
	var lost *LostError
	require.ErrorAs(t, s.WriteBack(), &lost)
	require.NoError(t, lost.Err)
	require.FileExists(t, s.path())
	require.NoFileExists(t, s.path()+back)
	require.NoFileExists(t, s.path()+back+".tmp")
	require.NoError(t, s.WriteBack())
	require.NoError(t, s.Close())
}

// TestADatabaseThatIsReplacedOrEmptiedIsWrittenBack replaces or truncates the database while
// it is in use. Its content is written back, and the file found in its place is kept.
func TestADatabaseThatIsReplacedOrEmptiedIsWrittenBack(t *testing.T) {
	for fate, do := range map[string]func(path, old string) error{
		replaced: func(path, old string) error { return os.Rename(old, path) },
		emptied:  func(path, _ string) error { return os.Truncate(path, 0) },
	} {
		s, old := written(t)
		_, err := s.db.Exec("PRAGMA integrity_check") // loads all of it into memory
		require.NoError(t, err)
		before, err := os.ReadFile(old)
		require.NoError(t, err)
		require.NoError(t, do(s.path(), old))
		var lost *LostError
		require.ErrorAs(t, s.WriteBack(), &lost, fate)
		require.NoError(t, lost.Err)
		require.Equal(t, fate, lost.Fate)
		found, err := os.ReadFile(lost.Aside)
		require.NoError(t, err)
		if fate == replaced {
			require.Equal(t, before, found)
		}
		require.NoError(t, s.WriteBack())
		require.NoError(t, s.SetValue("after", "kept"))
		require.NoError(t, s.Close())
		s, err = Open(s.dirs, "/mnt/a")
		require.NoError(t, err)
		for _, key := range []string{"key", "after"} {
			value, _, err := s.Value(key)
			require.NoError(t, err)
			require.Equal(t, "kept", value, fate)
		}
		require.NoError(t, s.Close())
	}
}

// TestAnEmptiedDatabaseThatIsNotKnownWhole checks that the error contains the command that
// sets the database aside.
func TestAnEmptiedDatabaseThatIsNotKnownWhole(t *testing.T) {
	s, _ := written(t)
	_, err := s.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
	_, err = s.db.Exec("PRAGMA shrink_memory")
	require.NoError(t, err)
	require.NoError(t, os.Truncate(s.path(), 0))
	var lost *LostError
	require.ErrorAs(t, s.WriteBack(), &lost)
	require.ErrorContains(t, lost, "was emptied or cut short while in use, and cannot be written back")
	require.ErrorContains(t, lost, SetAside(s.dirs.State))
	_ = s.Close()
}

// TestAFileThatCannotBeRenamedStays checks that a file that cannot be renamed stays where it is.
func TestAFileThatCannotBeRenamedStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "found")
	require.NoError(t, os.WriteFile(path, []byte("somebody's"), 0o600))
	_, err := setAside(path, path+strings.Repeat("-", 300)) // longer than any file name may be
	require.Error(t, err)
	require.FileExists(t, path)
}

// TestADatabaseThatIsReplacedWithItsLog checks that both files are kept, under matching names.
func TestADatabaseThatIsReplacedWithItsLog(t *testing.T) {
	s, old := written(t)
	require.NoError(t, os.WriteFile(old+"-wal", []byte("somebody's log"), 0o600))
	for _, of := range []string{"", "-wal"} {
		require.NoError(t, os.Rename(old+of, s.path()+of))
	}
	var lost *LostError
	require.ErrorAs(t, s.WriteBack(), &lost)
	require.NoError(t, lost.Err)
	log, err := os.ReadFile(lost.Aside + "-wal")
	require.NoError(t, err)
	require.Equal(t, "somebody's log", string(log))
	require.NoError(t, s.Close())
	s, err = Open(s.dirs, "/mnt/a")
	require.NoError(t, err)
	value, _, err := s.Value("key")
	require.NoError(t, err)
	require.Equal(t, "kept", value)
	require.NoError(t, s.Close())
}

// TestADirectoryThatIsRemovedIsMadeAgain checks that all of it is back, and that no other mount
// can take the account.
func TestADirectoryThatIsRemovedIsMadeAgain(t *testing.T) {
	s, _ := written(t)
	spool := s.Dir("spool")
	require.NoError(t, s.NoteConnection("42"))
	require.NoError(t, os.RemoveAll(s.dirs.State))
	var lost *LostError
	require.ErrorAs(t, s.WriteBack(), &lost)
	require.NoError(t, lost.Err)
	require.DirExists(t, spool)
	require.NoError(t, s.WriteBack())
	_, err := Open(s.dirs, "/mnt/b")
	var held *HeldError
	require.ErrorAs(t, err, &held)
	require.Equal(t, Holder{"/mnt/a", os.Getpid(), "42"}, held.Holder)
	require.NoError(t, s.Close())
	s, err = Open(s.dirs, "/mnt/b")
	require.NoError(t, err)
	value, _, err := s.Value("key")
	require.NoError(t, err)
	require.Equal(t, "kept", value)
	require.NoError(t, s.Close())
}

// TestAnAccountThatAnotherMountHasTakenIsItsOwn removes the directory, and opens the account
// again before the first mount notices. That mount leaves the other one's database alone.
func TestAnAccountThatAnotherMountHasTakenIsItsOwn(t *testing.T) {
	s, _ := written(t)
	require.NoError(t, os.RemoveAll(s.dirs.State))
	other, err := Open(s.dirs, "/mnt/b")
	require.NoError(t, err)
	for range 2 {
		require.ErrorContains(t, s.WriteBack(), "lock was removed while in use, and cannot be written back: this account is mounted already at /mnt/b")
	}
	require.Error(t, s.Close())
	require.NoError(t, other.WriteBack())
	require.NoFileExists(t, other.path()+".found")
	require.NoError(t, other.Close())
}
