package state

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnsyncedIsATransaction(t *testing.T) {
	d := dirs(t)
	s, err := Open(d, "/mnt/a")
	require.NoError(t, err)
	insert := func(key string, outcome error) error {
		return s.Unsynced(func(tx *sql.Tx) error {
			_, err := tx.Exec("INSERT INTO value (key, value) VALUES (?, 'v')", key)
			require.NoError(t, err)
			return outcome
		})
	}
	errNo := errors.New("no")
	require.ErrorIs(t, insert("undone", errNo), errNo)
	require.NoError(t, insert("kept", nil))
	require.NoError(t, s.Sync())

	var synchronous int
	require.NoError(t, s.DB().QueryRow("PRAGMA synchronous").Scan(&synchronous))
	require.Equal(t, 2, synchronous, "what is committed by other ways is to be durable")
	require.NoError(t, s.Close())
	s, err = Open(d, "/mnt/a")
	require.NoError(t, err)
	defer s.Close()
	for key, want := range map[string]bool{"undone": false, "kept": true} {
		_, there, err := s.Value(key)
		require.NoError(t, err)
		require.Equal(t, want, there, key)
	}
}
