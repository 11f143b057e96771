package statetest

import (
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
)

// Prepare puts a new database with the newest schema into the directories of an account, unless
// they have one.
func Prepare(t require.TestingT, d state.Dirs) {
	file := state.Database(d.State)
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
		return
	}
	content, err := migrated()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(d.State, 0o700))
	require.NoError(t, os.WriteFile(file, content, 0o600))
}

// migrated returns a database with the newest schema and nothing in it.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "paperfs-state-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	st, err := state.Open(state.Dirs{State: dir, Cache: dir}, "/mnt")
	if err != nil {
		return nil, err
	}
	if err := st.Close(); err != nil { // which leaves everything in the one file
		return nil, err
	}
	return os.ReadFile(state.Database(dir))
})
