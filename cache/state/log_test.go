package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// logs counts the descriptors of this process that have the log of s open.
func (s *State) logs(t *testing.T) (n int) {
	t.Helper()
	log, err := filepath.EvalSymlinks(filepath.Dir(s.path()))
	require.NoError(t, err)
	log = filepath.Join(log, filepath.Base(s.path())) + "-wal"
	descriptors, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	for _, d := range descriptors {
		if open, _ := os.Readlink("/proc/self/fd/" + d.Name()); strings.TrimSuffix(open, " (deleted)") == log {
			n++
		}
	}
	return n
}

// TestTheLogStaysOpen checks that syncs use one descriptor, that a new log replaces it, and that it
// is closed in the end.
func TestTheLogStaysOpen(t *testing.T) {
	t.Parallel()
	s, err := Open(dirs(t), "/mnt/a")
	require.NoError(t, err)
	change := func(key string) {
		require.NoError(t, s.Unsynced(Statement{"INSERT INTO value (key, value) VALUES (?, 'v')", []any{key}}))
		require.NoError(t, s.Sync())
	}
	change("a")
	before := s.logs(t)
	require.NoError(t, s.Sync())
	change("b")
	require.Equal(t, before, s.logs(t))
	first := s.log
	require.NotNil(t, first)

	s.db.SetMaxIdleConns(0) // closes the connection, with which the log goes
	s.db.SetMaxIdleConns(1)
	change("c")
	require.NotSame(t, first, s.log, "the log of the new connection")
	require.Equal(t, before, s.logs(t), "the old one is closed")
	require.NoError(t, s.Close())
	require.Zero(t, s.logs(t))
}
