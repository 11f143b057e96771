package state

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheLogIsOpenFromTheStart checks that the first sync needs no descriptor either: a moment without
// descriptors may come before it.
func TestTheLogIsOpenFromTheStart(t *testing.T) {
	t.Parallel()
	s, err := Open(dirs(t), "/mnt/a")
	require.NoError(t, err)
	first := s.log
	require.NotNil(t, first, "Open opens the log")
	require.NoError(t, s.Unsynced(Statement{"INSERT INTO value (key, value) VALUES ('a', 'v')", nil}))
	require.NoError(t, s.Sync())
	require.Same(t, first, s.log, "the sync opened another log")
	require.NoError(t, s.Close())
}
