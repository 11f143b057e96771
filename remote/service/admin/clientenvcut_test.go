package admin_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/sqlitestore"
)

// keyCutDir names the directory above the data and the backup of TestKeyCutChild.
const keyCutDir = "ADMIN_TEST_KEY_CUT_DIR"

// TestClientEnvHasAValidKeyAfterAnyCut cuts the power at every moment of rotations with backups between them: a start on the
// data, and one on the backup, finds a client.env whose key is valid, and leaves nothing beside it.
func TestClientEnvHasAValidKeyAfterAnyCut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestKeyCutChild$")
	program.Env = append(os.Environ(), keyCutDir+"="+dir)
	seen := map[string]bool{}
	disktest.Record(t, dir, program).Moments(func(m disktest.Moment) {
		for said, place := range []string{"data", "backup"} {
			print := place + m.Print(disktest.Nothing)
			if len(m.Said) <= said || seen[print] {
				continue
			}
			seen[print] = true
			left := t.TempDir()
			require.NoError(t, m.Restore(left, disktest.Nothing))
			servesItsKey(t, filepath.Join(left, place), "%s is cut before %q after %q", place, m.Next, m.Said)
		}
	})
	require.Greater(t, len(seen), 10, "the rotations were not recorded")
}

// servesItsKey starts a service on a data directory, and requires that its client.env has a key of it.
func servesItsKey(t *testing.T, data string, why ...any) {
	t.Helper()
	s := servicetest.StartIn(t, data)
	defer s.Stop()
	db, err := sqlitestore.OpenExisting(t.Context(), filepath.Join(data, datadir.DatabaseFile))
	require.NoError(t, err)
	caller, err := db.Caller(t.Context(), "", s.Username)
	require.NoError(t, errors.Join(err, db.Close()))
	require.Equal(t, caller.Account.KeyHash, datadir.HashKey(s.Password), why...)
	require.NoFileExists(t, filepath.Join(data, datadir.NextClientEnvFile), why...)
}

// TestKeyCutChild rotates a key, and backs up before, between and after.
func TestKeyCutChild(t *testing.T) {
	dir := os.Getenv(keyCutDir)
	if dir == "" {
		t.Skip("the program that TestClientEnvHasAValidKeyAfterAnyCut runs")
	}
	data := filepath.Join(dir, "data")
	servicetest.StartIn(t, data).Stop()
	disktest.Say("begun")
	m, err := admin.Open(data)
	require.NoError(t, err)
	for n := range 3 {
		_, err := m.Backup(t.Context(), filepath.Join(dir, "backup"), nil)
		require.NoError(t, err)
		disktest.Say("backup %d", n)
		_, err = m.RotateAccount(datadir.DefaultTenant, datadir.DefaultAccount, 0)
		require.NoError(t, err)
		disktest.Say("rotation %d", n)
	}
	require.NoError(t, errors.Join(err, m.Close()))
}
