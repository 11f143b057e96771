package apitest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/testrun"
)

// files returns the content of each file below a directory, except its lock, which names the last
// holder.
func files(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "lock" {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}))
	return all
}

// refusesBackup requires that a backup into dir is refused with these words and changes nothing in
// dir.
func (s *server) refusesBackup(dir, words string) {
	s.t.Helper()
	real := testrun.Must(filepath.EvalSymlinks(dir))(s.t)
	administrator := s.admin()
	before := files(s.t.(*testing.T), real)
	_, err := administrator.Backup(s.t.Context(), dir, nil)
	require.ErrorContains(s.t, err, words)
	require.Equal(s.t, before, files(s.t.(*testing.T), real))
}

func (s *server) backup(dir string) admin.BackupReport {
	s.t.Helper()
	return testrun.Must(s.admin().Backup(s.t.Context(), dir, nil))(s.t)
}

// TestBackupRefusesABackupThatWasServed checks that such a backup is not updated, because a
// service or a command that ran on it may have put data there that exists nowhere else.
func TestBackupRefusesABackupThatWasServed(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	dir := filepath.Join(t.TempDir(), "backup")
	s.backup(dir)
	r := served(t, dir)
	r.upload("0", "new", large+"new")
	r.close()
	s.refusesBackup(dir, "has changed since the last backup")

	dir = filepath.Join(t.TempDir(), "backup")
	s.backup(dir)
	require.NoError(t, (&server{t: t, data: dir}).admin().SetReadOnly(true)) // not closed, so the change is still in the log
	s.refusesBackup(dir, "has changed since the last backup")
}

func TestBackupRefusesSwappedDirectories(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	dir := filepath.Join(t.TempDir(), "backup")
	s.backup(dir)
	s.upload("0", "new", large+"new")
	s.close()
	(&server{t: t, data: dir}).refusesBackup(s.data, "holds something other")

	// A restored directory still carries the mark of its backup.
	r := restored(t, dir)
	r.upload("0", "new", large+"new")
	r.close()
	(&server{t: t, data: dir}).refusesBackup(r.data, "has changed since the last backup")
}

func TestBackupFollowsLinksToTheData(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	links := t.TempDir()
	for name, target := range map[string]string{"data": s.data, "content": filepath.Join(s.data, "content"), "here": links} {
		require.NoError(t, os.Symlink(target, filepath.Join(links, name)))
	}
	for _, dir := range []string{"data", "here/data", "content"} {
		s.refusesBackup(filepath.Join(links, dir), "in the data directory")
	}
	_, err := s.admin().Backup(t.Context(), filepath.Join(links, "data", "new", "backup"), nil)
	require.ErrorContains(t, err, "in the data directory")
	require.NoDirExists(t, filepath.Join(s.data, "new"))
	linked := &server{t: t, data: filepath.Join(links, "data")}
	linked.refusesBackup(s.data, "in the data directory")
}

// TestBackupAfterALookIntoIt checks that a backup that was checked can still be updated.
func TestBackupAfterALookIntoIt(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	dir := filepath.Join(t.TempDir(), "backup")
	s.backup(dir)
	administrator := testrun.Must(admin.Open(dir))(t)
	report := testrun.Must(administrator.Check(t.Context(), admin.CheckOptions{Deep: true}))(t)
	require.True(t, report.Sound(), "%+v", report)
	require.NoError(t, administrator.Close())
	s.upload("0", "one", large+"changed")
	require.True(t, s.purgeAll())
	require.Equal(t, admin.BackupReport{Copied: 1, Removed: 1}, s.backup(dir))
	restored(t, dir).sound()
}

// TestBackupKeepsContentThatItDoesNotKnow checks that content that no backup put there goes to
// the trash instead of being deleted.
func TestBackupKeepsContentThatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	dir := filepath.Join(t.TempDir(), "backup")
	s.backup(dir)
	key := "ab000000-0000-4000-8000-000000000000"
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "content", "ab"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "content", "ab", key), []byte("mine"), 0o600))
	require.Equal(t, admin.BackupReport{There: 1, Unknown: 1}, s.backup(dir))
	found := testrun.Must(filepath.Glob(filepath.Join(dir, "trash", "*", key)))(t)
	require.Len(t, found, 1)
	require.Equal(t, "mine", string(testrun.Must(os.ReadFile(found[0]))(t)))
}

// TestBackupGoesOnWithOneThatWasCutShort checks that a backup resumes what an earlier backup
// left when it was killed, at any moment.
func TestBackupGoesOnWithOneThatWasCutShort(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	s.upload("0", "two", large+"two")

	dir := filepath.Join(t.TempDir(), "backup") // killed before its first file
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lock"), []byte("1\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "backup.json.new"), []byte("{"), 0o600))
	require.Equal(t, admin.BackupReport{Copied: 2}, s.backup(dir))

	dir = filepath.Join(t.TempDir(), "backup") // killed before its records
	s.backup(dir)
	for _, name := range []string{"service.db", "content/id"} {
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
	require.Equal(t, admin.BackupReport{There: 2}, s.backup(dir))

	earlier, err := os.ReadFile(filepath.Join(dir, "service.db")) // killed before the new records
	require.NoError(t, err)
	s.must(remote.UploadFile, "parentID", "0", "name", "small", "base64File", "eA==")
	s.backup(dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "service.db"), earlier, 0o600))
	require.Equal(t, admin.BackupReport{There: 2}, s.backup(dir))

	r := restored(t, dir)
	r.sound()
	require.Equal(t, s.library(), r.library())
}

// TestBackupBesideAnother checks that, of two backups into the same new directory, the second
// is refused, at whatever moment it starts.
func TestBackupBesideAnother(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	dir := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, os.Mkdir(dir, 0o700))
	lock := testrun.Must(os.Create(filepath.Join(dir, "lock")))(t)
	defer lock.Close()
	require.NoError(t, unix.Flock(int(lock.Fd()), unix.LOCK_EX))
	second := func() {
		_, err := s.admin().Backup(t.Context(), dir, nil)
		var held *datadir.HeldError
		require.ErrorAs(t, err, &held)
		require.ErrorContains(t, err, "another backup is writing to")
	}
	second()
	require.NoError(t, lock.Close())
	testrun.Must(s.admin().Backup(t.Context(), dir, func(int, int) { second() }))(t)
}
