package sqlitestore

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// asOrdinaryUser is set in the process that TestADatabaseThatMayNotBeWritten starts as root.
const asOrdinaryUser = "PAPERFS_TEST_DATABASE_OF_ANOTHER"

// TestADatabaseThatMayNotBeWritten checks that the failure to open a database in a directory without
// write permission names the directory, the user and what to do. Root may write anything, so the
// check runs as another user then.
func TestADatabaseThatMayNotBeWritten(t *testing.T) {
	t.Parallel()
	file := os.Getenv(asOrdinaryUser)
	if file == "" {
		dir := testrun.Must(os.MkdirTemp("/tmp", "paperfs-unwritable"))(t)
		t.Cleanup(func() {
			require.NoError(t, os.Chmod(dir, 0o755))
			require.NoError(t, os.RemoveAll(dir))
		})
		file = filepath.Join(dir, "service.db")
		s := testrun.Must(Open(t.Context(), file))(t)
		require.NoError(t, s.Close())
		if os.Geteuid() == 0 {
			const nobody = 65534
			require.NoError(t, os.Chown(file, nobody, nobody))
			require.NoError(t, os.Chmod(dir, 0o755))
			self, err := os.ReadFile("/proc/self/exe") // the test binary may lie where others may not look
			require.NoError(t, err)
			program := filepath.Join(dir, "test")
			require.NoError(t, os.WriteFile(program, self, 0o755))
			cmd := exec.Command(program, "-test.run", "^"+t.Name()+"$", "-test.count", "1")
			cmd.Dir, cmd.Env = "/", append(os.Environ(), asOrdinaryUser+"="+file)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			return
		}
		require.NoError(t, os.Chmod(dir, 0o555))
	}
	_, err := Open(t.Context(), file)
	require.Regexp(t, ` may not write /\S+, and the database needs that, even to be read\. (Run paperfs as its owner, root|Run: chmod u\+w /\S+): `, err)
	require.NotErrorIs(t, err, store.ErrDamaged)
	s := testrun.Must(OpenExisting(t.Context(), file))(t)
	defer s.Close()
	for _, err := range []error{
		s.Read(t.Context(), func(store.Reader) error { return nil }),
		s.Write(t.Context(), store.AllTenants, func(store.Writer) error { return nil }),
	} {
		require.ErrorContains(t, err, "may not write "+filepath.Dir(file))
	}
}

// TestADiskThatCannotBeWritten opens a database on a full disk, and on one that is mounted read-only: the errors name the
// disk, and what to do.
func TestADiskThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		testrun.Missing(t, "the right to mount a disk: "+err.Error())
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	file := filepath.Join(disk, "service.db")
	s := testrun.Must(Open(t.Context(), file))(t)
	require.NoError(t, s.Close())
	fails := func(opening, words string) {
		t.Helper()
		_, err := Open(t.Context(), file)
		require.ErrorContains(t, err, opening)
		s := testrun.Must(OpenExisting(t.Context(), file))(t)
		defer s.Close()
		require.ErrorContains(t, s.Read(t.Context(), func(store.Reader) error { return nil }), words)
	}
	require.ErrorIs(t, os.WriteFile(filepath.Join(disk, "filler"), make([]byte, 4<<20), 0o600), unix.ENOSPC)
	full := "not enough free space on the disk of " + file
	fails(full, full)
	for _, suffix := range []string{logSuffix, indexSuffix} { // as after a clean end
		require.NoError(t, os.RemoveAll(file+suffix))
	}
	require.NoError(t, unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	fails(file+": read-only file system", file+" is on a disk that is mounted read-only")
}
