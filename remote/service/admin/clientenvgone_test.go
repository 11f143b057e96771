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
	"paperfs/remote/service/store"
)

// removalCutDir names the data directory of TestRemovalCutChild.
const removalCutDir = "ADMIN_TEST_REMOVAL_CUT_DIR"

// TestClientEnvGoesWithItsAccountAfterAnyCut kills, or cuts the power, at every moment of a rotation and a removal: after the next
// start there is a client.env, with the key, if and only if there is the account, and nothing beside it.
func TestClientEnvGoesWithItsAccountAfterAnyCut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestRemovalCutChild$")
	program.Env = append(os.Environ(), removalCutDir+"="+dir)
	seen := map[string]bool{}
	disktest.Record(t, dir, program).Moments(func(m disktest.Moment) {
		for name, kept := range map[string]disktest.Kept{
			"power cut": disktest.Nothing, "power cut, with names": disktest.Names, "kill": func(string, bool) bool { return true },
		} {
			if print := m.Print(kept); len(m.Said) > 0 && !seen[print] {
				seen[print] = true
				data := t.TempDir()
				require.NoError(t, m.Restore(data, kept))
				goesWithItsAccount(t, data, "%s before %q after %q", name, m.Next, m.Said)
			}
		}
	})
	require.Greater(t, len(seen), 3, "the removal was not recorded")
}

func goesWithItsAccount(t *testing.T, data string, why ...any) {
	t.Helper()
	db, err := sqlitestore.OpenExisting(t.Context(), filepath.Join(data, datadir.DatabaseFile))
	require.NoError(t, err, why...)
	defer db.Close()
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return datadir.SettleClientEnv(tx, data) }), why...)
	caller, err := db.Caller(t.Context(), "", datadir.DefaultAccount)
	require.NoError(t, err, why...)
	if caller.Account.ID != 0 {
		env, err := datadir.ReadClientEnv(data)
		require.NoError(t, err, why...)
		require.Equal(t, caller.Account.KeyHash, datadir.HashKey(env.Password), why...)
	} else {
		require.NoFileExists(t, filepath.Join(data, datadir.ClientEnvFile), why...)
	}
	beside, err := filepath.Glob(filepath.Join(data, datadir.ClientEnvFile+".*"))
	require.NoError(t, err)
	require.Empty(t, beside, why...)
}

// TestRemovalCutChild removes the account whose key is in client.env.
func TestRemovalCutChild(t *testing.T) {
	data := os.Getenv(removalCutDir)
	if data == "" {
		t.Skip("the program that TestClientEnvGoesWithItsAccountAfterAnyCut runs")
	}
	servicetest.StartIn(t, data).Stop()
	disktest.Say("begun")
	m, err := admin.Open(data)
	require.NoError(t, err)
	_, err = m.RotateAccount(datadir.DefaultTenant, datadir.DefaultAccount, 0)
	require.NoError(t, err)
	disktest.Say("rotated")
	require.NoError(t, errors.Join(m.RemoveAccount(datadir.DefaultTenant, datadir.DefaultAccount), m.Close()))
}
