package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"

	"github.com/stretchr/testify/require"
)

// stateDatabase returns the database of the only account that was mounted.
func (e *environment) stateDatabase() string {
	e.t.Helper()
	found, err := filepath.Glob(e.path(".local", "state", "paperfs", "*", "state.db"))
	require.NoError(e.t, err)
	require.Len(e.t, found, 1)
	return found[0]
}

// TestStateThatIsRemovedUnderAMount checks that the mount reports the removal and writes its
// database again, and that nothing known is lost.
func TestStateThatIsRemovedUnderAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must("echo local > media/x.part; chmod 640 media/x.part")
	require.NoError(t, os.Remove(e.stateDatabase()))
	p.says("state.db was removed while in use; it was written back")
	require.Contains(t, e.must("cat .paperfs/errors"), "it was written back")
	require.FileExists(t, e.stateDatabase())
	require.NoError(t, p.cmd.Process.Kill())
	p.wait()
	e.succeed("umount", e.path("ipaper"))
	e.mount()
	require.Equal(t, "local\n640\n", e.must("cat media/x.part; stat -c %a media/x.part"))
}

// TestStateThatIsReplacedUnderAMount checks that the mount reports the replacement, writes its
// database again, and keeps the other file.
func TestStateThatIsReplacedUnderAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must("echo local > media/x.part; chmod 640 media/x.part")
	file := e.stateDatabase()
	require.NoError(t, os.WriteFile(file+".other", []byte("other"), 0o600))
	require.NoError(t, os.Rename(file+".other", file))
	p.says("state.db was replaced by another file while in use; it was written back, and the file found in its place is now " + file + ".found")
	content, err := os.ReadFile(file + ".found")
	require.NoError(t, err)
	require.Equal(t, "other", string(content))
	require.NoError(t, p.cmd.Process.Kill())
	p.wait()
	e.succeed("umount", e.path("ipaper"))
	e.mount()
	require.Equal(t, "local\n640\n", e.must("cat media/x.part; stat -c %a media/x.part"))
}

// TestStateThatIsEmptiedUnderAMount checks that the mount reports the damage with a remedy that
// loses no content.
func TestStateThatIsEmptiedUnderAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must("echo local > media/x.part")
	require.NoError(t, os.Truncate(e.stateDatabase(), 0))
	p.says("state.db was emptied or cut short while in use")
	if strings.Contains(p.stderr.String(), "cannot be written back. Unmount first.") {
		_, command, _ := strings.Cut(p.stderr.String(), "Run: ")
		command, _, _ = strings.Cut(command, " (")
		e.succeed("umount", e.path("ipaper"))
		p.wait()
		out, err := exec.Command("sh", "-c", command).CombinedOutput()
		require.NoError(t, err, string(out))
		e.mount()
	}
	require.Equal(t, "local\n", e.must("cat media/x.part 2> /dev/null || cat .paperfs/failed/*"))
}

// TestStateThatIsDamaged checks that mount names the command that moves the database aside, and
// mounts after it.
func TestStateThatIsDamaged(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must("echo local > media/x.part")
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	require.NoError(t, os.WriteFile(e.stateDatabase(), []byte(strings.Repeat("rubbish", 1000)), 0o600))
	code, _, stderr := e.run("mount", e.path("ipaper"))
	require.Equal(t, cli.ExitFailure, code)
	_, mend, found := strings.Cut(stderr, " is damaged: ")
	require.True(t, found, stderr)
	_, mend, _ = strings.Cut(mend, "Run: ")
	command, _, _ := strings.Cut(mend, " (")
	out, err := exec.Command("sh", "-c", command).CombinedOutput()
	require.NoError(t, err, string(out))
	e.mount()
	require.Equal(t, "local\n", e.must("cat .paperfs/failed/*"))
}

// TestServiceDatabaseThatIsDamaged checks that mount does not mistake it for the account's
// database, which stays where it is.
func TestServiceDatabaseThatIsDamaged(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	file := e.path(".local", "share", "paperfs", "service.db")
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	const kept = 4096 // keep the first page
	rubbish := strings.Repeat("x", len(content)-kept)
	require.NoError(t, os.WriteFile(file, append(content[:kept], rubbish...), 0o600))
	code, _, stderr := e.run("mount", e.path("ipaper"))
	require.Equal(t, cli.ExitForeignData, code)
	require.Contains(t, stderr, file+" is damaged")
	require.NotContains(t, stderr, filepath.Dir(e.stateDatabase()))
}
