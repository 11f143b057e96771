package datadir

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// refusing is a store whose changes fail.
type refusing struct{ store.Store }

var errRefusing = errors.New("no changes")

func (refusing) Write(context.Context, int64, func(store.Writer) error) error { return errRefusing }

// opened returns the database of a data directory.
func opened(t *testing.T, data string) *sqlitestore.Store {
	s := testrun.Must(sqlitestore.Open(t.Context(), filepath.Join(data, DatabaseFile)))(t)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// TestAKeyIsInItsFileBeforeItsAccountExists checks that a first start that ends early leaves no
// account whose key nobody has, and that the next one completes it.
func TestAKeyIsInItsFileBeforeItsAccountExists(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := opened(t, data)
	require.ErrorIs(t, FirstStart(t.Context(), refusing{s}, data), errRefusing)
	lost, err := ReadClientEnv(data)
	require.NoError(t, err, "the key comes first")
	require.NoError(t, FirstStart(t.Context(), s, data))
	env := testrun.Must(ReadClientEnv(data))(t)
	require.NotEqual(t, lost.Password, env.Password)
	require.NoError(t, FirstStart(t.Context(), s, data), "a second start")
	require.Equal(t, env, testrun.Must(ReadClientEnv(data))(t))
	c := testrun.Must(s.Caller(t.Context(), "", DefaultAccount))(t)
	require.Equal(t, HashKey(env.Password), c.Account.KeyHash)
}
