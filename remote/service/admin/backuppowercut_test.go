package admin_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// backupCutDir names the directory above the data and the backup of TestBackupCutChild.
const backupCutDir = "ADMIN_TEST_BACKUP_CUT_DIR"

// edition returns the content of a file in the n-th backup.
func edition(n int) []byte { return storetest.Bytes(uint64(n), 100_000+n) }

// TestABackupIsSyncedBeforeOldContentIsDeleted cuts the power at every moment of a first backup and
// of one that updates it after all content was replaced: whichever records are in the backup then,
// everything that they name is there and whole.
func TestABackupIsSyncedBeforeOldContentIsDeleted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestBackupCutChild$")
	program.Env = append(os.Environ(), backupCutDir+"="+dir)
	recording := disktest.Record(t, dir, program)
	seen := map[string]bool{}
	for name, kept := range map[string]disktest.Kept{"nothing": disktest.Nothing, "names": disktest.Names, "contents": disktest.Contents} {
		recording.Moments(func(m disktest.Moment) {
			print := fmt.Sprint(len(m.Said), m.Print(kept))
			if len(m.Said) == 0 || seen[print] {
				return
			}
			seen[print] = true
			left := t.TempDir()
			require.NoError(t, m.Restore(left, kept))
			named := wholeBackup(t, filepath.Join(left, "backup"), "cut before %q after %q, with %s that is not synced on the disk", m.Next, m.Said, name)
			require.True(t, named > 0 || len(m.Said) == 1, "the backup is gone")
		})
	}
	require.Greater(t, len(seen), 10, "the backups were not recorded")
}

// wholeBackup requires that a backup has all content that its records name, and returns how many
// they are.
func wholeBackup(t *testing.T, backup, words string, why ...any) (named int) {
	t.Helper()
	why = append([]any{words}, why...)
	require.NoError(t, sqlitestore.Keys(t.Context(), filepath.Join(backup, datadir.DatabaseFile), func(key string) {
		named++
		content, err := os.ReadFile(filepath.Join(backup, datadir.ContentDir, key[:2], key))
		require.NoError(t, err, why...)
		require.Contains(t, [][32]byte{sha256.Sum256(edition(1)), sha256.Sum256(edition(2))}, sha256.Sum256(content), why...)
	}), why...)
	return named
}

// TestBackupCutChild makes two backups, and replaces all content between them.
func TestBackupCutChild(t *testing.T) {
	dir := os.Getenv(backupCutDir)
	if dir == "" {
		t.Skip("the program that TestABackupIsSyncedBeforeOldContentIsDeleted runs")
	}
	data := filepath.Join(dir, "data")
	servicetest.StartIn(t, data).Stop()
	disktest.Say("begun")
	for n := range 2 {
		keep(t, data, edition(n+1))
		m := testrun.Must(admin.Open(data))(t)
		report, err := m.Backup(t.Context(), filepath.Join(dir, "backup"), nil)
		require.NoError(t, errors.Join(err, m.Close()))
		require.Equal(t, n, report.Removed)
		disktest.Say("backup %d", n+1)
	}
}

// keep makes content that of the only media file of a data directory that is not served.
func keep(t *testing.T, data string, content []byte) {
	db := testrun.Must(sqlitestore.OpenExisting(t.Context(), filepath.Join(data, datadir.DatabaseFile)))(t)
	files := testrun.Must(datadir.OpenContents(t.Context(), data, db))(t)
	f := store.File{Name: "file", Size: int64(len(content)), SHA256: sha256.Sum256(content), Content: storetest.WriteContent(t, files, content)}
	var old string
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		there, err := tx.FileByName(1, 0, f.Name)
		if errors.Is(err, store.ErrNotFound) {
			_, err = tx.AddFile(1, f)
			return err
		}
		old = there.Content
		f.Version = store.NewVersion() // nothing is kept
		_, err = tx.SetContent(there.ID, f, store.By{})
		return err
	}))
	require.NoError(t, files.Remove(old))
	require.NoError(t, db.Close())
}
