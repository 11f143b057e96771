package apitest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestBackupOntoAFullDiskKeepsTheEarlierOne checks that the earlier backup stays intact if the
// disk fills up during an update, and that the backup can be updated once there is space
// again.
func TestBackupOntoAFullDiskKeepsTheEarlierOne(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	backup := filepath.Join(t.TempDir(), "backup")
	administrator := s.admin()
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	for name, draft := range map[string]string{"client.env": "client.env.new", "content/id": "content/id.new"} {
		kept := filepath.Join(backup, name)
		before := testrun.Must(os.ReadFile(kept))(t)
		require.NotEmpty(t, before)
		draft = filepath.Join(backup, draft)
		require.NoError(t, os.Symlink("/dev/full", draft))
		_, err := administrator.Backup(t.Context(), backup, nil)
		if err != nil { // if the records were already up to date, they need no space
			require.ErrorIs(t, err, unix.ENOSPC)
		}
		require.NoError(t, os.RemoveAll(draft))
		after := testrun.Must(os.Lstat(kept))(t)
		require.True(t, after.Mode().IsRegular(), "%s has the mode %s", name, after.Mode())
		require.Equal(t, before, testrun.Must(os.ReadFile(kept))(t))
	}
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	restored(t, backup).sound()
}

// TestABackupHasTheClientEnvOfItsRecords checks that a backup that is cut short leaves the key of the earlier records, and
// that the file of an account that is gone does not stay.
func TestABackupHasTheClientEnvOfItsRecords(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	backup := filepath.Join(t.TempDir(), "backup")
	administrator := s.admin()
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	key := testrun.Must(administrator.RotateAccount("default", s.user, 0))(t)
	draft := filepath.Join(backup, "backup.json.new")
	require.NoError(t, os.Symlink("/dev/full", draft))
	_, err := administrator.Backup(t.Context(), backup, nil)
	require.ErrorIs(t, err, unix.ENOSPC)
	require.NoError(t, os.RemoveAll(draft))
	restored(t, backup).must(remote.GetSettingDescriptions)
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	now := restored(t, backup)
	require.Equal(t, key, now.key)
	now.must(remote.GetSettingDescriptions)
	require.NoError(t, administrator.RemoveAccount("default", s.user))
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	require.NoFileExists(t, filepath.Join(backup, "client.env"))
}

// TestBackupIsPrivate checks that only the owner can read a backup's records.
func TestBackupIsPrivate(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	backup := filepath.Join(t.TempDir(), "backup")
	testrun.Must(s.admin().Backup(t.Context(), backup, nil))(t)
	info := testrun.Must(os.Stat(filepath.Join(backup, "service.db")))(t)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
