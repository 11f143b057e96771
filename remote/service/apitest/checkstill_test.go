package apitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/testrun"
)

// killedDir names the directory above the data of TestKilledChild's service.
const killedDir = "SERVICE_TEST_KILLED_DIR"

// killed returns the data directory of a killed service; the newest record is still in the
// database's log.
func killed(t *testing.T) string {
	dir := t.TempDir()
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledChild$")
	program.Env = append(os.Environ(), killedDir+"="+dir, "TMPDIR="+t.TempDir()) // which it cannot clean up
	out, err := program.CombinedOutput()
	require.ErrorContains(t, err, "signal: killed", string(out))
	data := filepath.Join(dir, "data")
	require.NotZero(t, testrun.Must(os.Stat(filepath.Join(data, "service.db-wal")))(t).Size())
	require.FileExists(t, filepath.Join(data, "service.db-shm"))
	return data
}

// TestKilledChild uploads a file and kills its own process.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		t.Skip("the service that killed starts")
	}
	s := quiet(t, filepath.Join(dir, "data"))
	s.upload("0", "file", large)
	require.NoError(t, testrun.Must(os.FindProcess(os.Getpid()))(t).Kill())
	select {}
}

// TestCheckWritesNothing checks that a check creates and changes no file, not even the database's
// log or its index, whatever it finds, and that it reads what is in the log.
func TestCheckWritesNothing(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	ended := func(t *testing.T) string {
		s := quiet(t, filepath.Join(t.TempDir(), "data"))
		s.upload("0", "file", large)
		s.close()
		return s.data
	}
	without := func(name string) func(*testing.T) string {
		return func(t *testing.T) string {
			data := killed(t)
			require.NoError(t, os.Remove(filepath.Join(data, name)))
			return data
		}
	}
	for name, directory := range map[string]func(*testing.T) string{
		"ended": ended, "killed": killed, "killed, without the index": without("service.db-shm"), "killed, without the lock": without("lock"),
		"backup": func(t *testing.T) string {
			dir := filepath.Join(t.TempDir(), "backup")
			(&server{t: t, data: ended(t)}).backup(dir)
			return dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := directory(t)
			before := tree(t, data)
			report := checked(t, data, admin.CheckOptions{Deep: true})
			require.True(t, report.Sound(), "%+v", report)
			require.Equal(t, 1, report.Contents)
			require.Equal(t, before, tree(t, data))
			orphan := filepath.Join(data, "content", "ab", someKey)
			hold(t, filepath.Join(data, "content"), "", true)
			require.NoError(t, os.Chtimes(orphan, clock.AddDate(-10, 0, 0), clock.AddDate(-10, 0, 0)))
			before = tree(t, data)
			require.Equal(t, []string{someKey}, checked(t, data, admin.CheckOptions{}).Orphans)
			require.Equal(t, before, tree(t, data))
			require.Len(t, checked(t, data, admin.CheckOptions{Fix: true}).Fixed, 1)
			quiet(t, data).sound()
		})
	}
}

// checked opens a data directory for one check.
func checked(t *testing.T, data string, o admin.CheckOptions) *admin.CheckReport {
	administrator := testrun.Must(admin.Open(data))(t)
	report := testrun.Must(administrator.Check(t.Context(), o))(t)
	require.NoError(t, administrator.Close())
	return report
}

// TestCheckWritesNothingToAnEmptyDatabase checks that opening it is refused and changes nothing.
func TestCheckWritesNothingToAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	data := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(data, "service.db"), nil, 0o600))
	before := tree(t, data)
	_, err := admin.Open(data)
	require.ErrorContains(t, err, "holds no service data")
	require.Equal(t, before, tree(t, data))
}

// TestCheckWritesNothingBesideAService checks that a check sees each change of a running service,
// and that the service goes on.
func TestCheckWritesNothingBesideAService(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	s := inFiles(t)
	for i := range 3 {
		s.upload("0", "file"+strings.Repeat("x", i), large)
		require.Equal(t, i+1, s.check(admin.CheckOptions{}).Contents)
	}
	s.must(remote.GetTree)
}
