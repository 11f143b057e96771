package state

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/durable"
	"paperfs/remote/testrun"
)

// before writes the database that the last commit before 1.0.0 made into an account's directories.
func before(t *testing.T) Dirs {
	d := dirs(t)
	require.NoError(t, os.MkdirAll(d.State, 0o700))
	require.NoError(t, os.WriteFile(Database(d.State), testrun.Unpack(t, "testdata/before-1.0.0.db.gz"), 0o600))
	return d
}

// TestADatabaseOfBefore100HasTheSchemaOfANewOne checks that what the last commit before 1.0.0 left needs no migration but those that
// came later, and has the schema of a new database then.
func TestADatabaseOfBefore100HasTheSchemaOfANewOne(t *testing.T) {
	t.Parallel()
	old, err := Open(before(t), "/m")
	require.NoError(t, err)
	fresh, err := Open(dirs(t), "/m")
	require.NoError(t, err)
	require.Equal(t, testrun.Schema(t, old.DB()), testrun.Schema(t, fresh.DB()))
	require.NoError(t, old.Close())
	require.NoError(t, fresh.Close())
}

// TestAnOlderDatabaseIsRefused checks that one which the last commit before 1.0.0 has not taken over is not changed, and that the
// refusal names that commit.
func TestAnOlderDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	d := before(t)
	s, err := Open(d, "/m")
	require.NoError(t, err)
	_, err = s.DB().Exec("DELETE FROM goose_db_version WHERE version_id > 25")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	content, err := os.ReadFile(Database(d.State))
	require.NoError(t, err)
	for range 2 { // the refusal does not keep the lock
		_, err = Open(d, "/m")
		var older *durable.OlderError
		require.ErrorAs(t, err, &older)
		require.EqualValues(t, 25, older.Have)
		require.ErrorContains(t, err, durable.LastBefore)
	}
	now, err := os.ReadFile(Database(d.State))
	require.NoError(t, err)
	require.Equal(t, content, now)
}
