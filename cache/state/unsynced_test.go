package state

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnsyncedIsATransaction(t *testing.T) {
	d := dirs(t)
	s, err := Open(d, "/mnt/a")
	require.NoError(t, err)
	insert := func(key string) Statement {
		return Statement{"INSERT INTO value (key, value) VALUES (?, 'v')", []any{key}}
	}
	require.Error(t, s.Unsynced(insert("undone"), insert("twice"), insert("twice")))
	require.Error(t, s.Unsynced(Statement{Text: "no statement"}))
	require.NoError(t, s.Unsynced(insert("kept")), "a failed change does not block others")
	require.NoError(t, s.Unsynced(insert("one"), insert("two")))
	require.Error(t, s.Unsynced(insert("kept")))
	require.NoError(t, s.Unsynced())
	require.NoError(t, s.Sync())

	var synchronous int
	require.NoError(t, s.DB().QueryRow("PRAGMA synchronous").Scan(&synchronous))
	require.Equal(t, 2, synchronous, "other commits must be durable")
	for range 2 {
		require.NoError(t, s.Unsynced())
		c, err := s.db.Conn(context.WithValue(t.Context(), ofUnsynced{}, true))
		require.NoError(t, err)
		require.NoError(t, c.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&synchronous))
		require.Equal(t, 1, synchronous, "the next Unsynced finds what the last one left")
		require.NoError(t, c.Close())
	}
	require.NoError(t, s.Close())
	s, err = Open(d, "/mnt/a")
	require.NoError(t, err)
	defer s.Close()
	for key, want := range map[string]bool{"undone": false, "twice": false, "kept": true, "one": true, "two": true} {
		_, there, err := s.Value(key)
		require.NoError(t, err)
		require.Equal(t, want, there, key)
	}
}
