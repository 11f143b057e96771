package apitest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// onAnotherDisk moves content/ to another file system and leaves a symbolic link.
func (s *server) onAnotherDisk() {
	s.t.Helper()
	disk := temporary.OtherDisk(s.t, s.data)
	content := filepath.Join(s.data, "content")
	require.NoError(s.t, os.CopyFS(filepath.Join(disk, "content"), os.DirFS(content)))
	require.NoError(s.t, os.RemoveAll(content))
	require.NoError(s.t, os.Symlink(filepath.Join(disk, "content"), content))
}

// TestContentOnAnotherDisk checks that content moves to the trash, which is on the file system of
// the records, and back.
func TestContentOnAnotherDisk(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.close()
	s.onAnotherDisk()
	s.open()
	s.upload("0", "kept", large)
	trashed := func(key string) []string {
		return testrun.Must(filepath.Glob(filepath.Join(s.data, "trash", "*", key)))(t)
	}
	kept := s.holdingIn("content/")

	acme := s.tenantNamed("acme")
	acme.upload("0", "file", large+"acme")
	require.NoError(t, s.admin().RemoveTenant("acme"))
	require.Len(t, trashed("*"), 1)
	require.Equal(t, kept, s.holdingIn("content/"))

	orphan := filepath.Join(s.data, "content", "ab", someKey)
	hold(t, filepath.Join(s.data, "content"), "", true)
	require.NoError(t, os.Chtimes(orphan, clock.AddDate(-10, 0, 0), clock.AddDate(-10, 0, 0)))
	require.Len(t, s.check(admin.CheckOptions{Fix: true}).Fixed, 1)
	require.Len(t, trashed(someKey), 1)
	require.NoFileExists(t, orphan)

	hold(t, filepath.Join(s.data, "content"), "", true)
	require.NoError(t, os.Chtimes(orphan, clock.AddDate(-10, 0, 0), clock.AddDate(-10, 0, 0)))
	s.reopen()
	require.NoFileExists(t, orphan)

	day := filepath.Dir(trashed(someKey)[0])
	require.NoError(t, os.WriteFile(filepath.Join(day, filepath.Base(kept[0])), []byte(large), 0o600))
	require.NoError(t, os.Remove(kept[0]))
	require.Len(t, s.check(admin.CheckOptions{Fix: true}).Fixed, 1)
	require.Equal(t, kept, s.holdingIn("content/"))
	require.Equal(t, large, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	dir := filepath.Join(t.TempDir(), "backup")
	s.backup(dir)
	restored(t, dir).sound()
}

// holdingIn returns the paths of all content below a directory of the data.
func (s *server) holdingIn(dir string) []string {
	s.t.Helper()
	return testrun.Must(filepath.Glob(filepath.Join(s.data, dir, "??", "*")))(s.t)
}
