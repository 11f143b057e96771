package state

import (
	"context"
	"database/sql/driver"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// written is a state with a value, and beside it a copy of its database without that.
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

// TestAnOldCopyDoesNotComeBack where the database is there that it was written for.
func TestAnOldCopyDoesNotComeBack(t *testing.T) {
	s, old := written(t)
	require.NoError(t, s.Close())
	require.NoError(t, os.Rename(old, s.path()+back))
	s, err := Open(s.dirs, "/mnt/a")
	require.NoError(t, err)
	require.NoFileExists(t, s.path()+back)
	value, _, err := s.Value("key")
	require.NoError(t, err)
	require.Equal(t, "kept", value)
	require.NoError(t, s.Close())
}

// TestACopyThatIsTakenIsNotWrittenAgain: it waited for a connection, and is the database then.
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
