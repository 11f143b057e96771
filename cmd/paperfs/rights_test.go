package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestAHomeThatCannotBeWritten checks that mount names the commands that repair it.
func TestAHomeThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.detachLater()
	if os.Geteuid() == 0 { // root ignores modes
		e.ordinaryUser()
	}
	require.NoError(t, os.Mkdir(e.path("ipaper"), 0o777))
	require.NoError(t, os.Chmod(e.path("ipaper"), 0o777))
	require.NoError(t, os.Chmod(e.home, 0o555))
	t.Cleanup(func() { _ = os.Chmod(e.home, 0o755) })
	code, _, stderr := e.run("mount", e.path("ipaper"))
	require.Equal(t, cli.ExitFailure, code, stderr)
	for _, dir := range []string{".local/state/paperfs", ".cache/paperfs"} {
		require.Regexp(t, `(?m)^Run as root: install -d -m 700 -o \d+ -g \d+ `+e.path(dir)+" ", stderr)
	}
}

// TestCommandsAtTheMountOfAnotherUser checks that .paperfs stays private if the mount is open to
// others, and that the commands that read it say whose mount it is.
func TestCommandsAtTheMountOfAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run commands as another user")
	}
	e := newEnvironment(t)
	e.detachLater()
	p := e.mount("--allow-other")
	defer func() {
		p.ends(syscall.SIGINT)
	}()
	e.ordinaryUser()
	for _, command := range [][]string{{"status"}, {"status", "--local"}, {"status", "--json"}, {"why"}, {"stat"}, {"wait"}, {"retry"}, {"refresh"}} {
		e.fail(cli.ExitFailure, e.path("ipaper")+" is a mount of root: that user, or root, can run this\n", append(command, e.path("ipaper"))...)
	}
	e.user = nil
}

// ordinaryUser makes a test that runs as root run commands as another user, who can mount with
// fusermount3.
func (e *environment) ordinaryUser() {
	e.t.Helper()
	testrun.Program(e.t, "fusermount3")
	if info, err := os.Stat("/dev/fuse"); err != nil || info.Mode().Perm()&0o006 != 0o006 {
		e.t.Skip("only root can open /dev/fuse")
	}
	e.asNobody()
}

// asNobody makes a test that runs as root run commands as the user nobody.
func (e *environment) asNobody() {
	e.t.Helper()
	const nobody = 65534
	e.user = &syscall.Credential{Uid: nobody, Gid: nobody}
	for dir := e.home; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		require.NoError(e.t, os.Chmod(dir, 0o755))
	}
	require.NoError(e.t, os.Chmod(filepath.Dir(program), 0o755))
}
