package main

import (
	"fmt"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/doctor"

	"github.com/stretchr/testify/require"
)

// TestAMountThatIsStopped checks that each command says what does not answer and why, and ends, and
// that none unmounts, because that would abort calls under way.
func TestAMountThatIsStopped(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_TEST_SILENCE", "3s") // a third of it passes before a command looks at the process
	m := e.mount()
	dir := e.path("ipaper")
	m.stop()
	t.Cleanup(func() { _ = m.cmd.Process.Signal(syscall.SIGCONT) })
	said := fmt.Sprintf("%s is a mount whose process %d is stopped (by kill -STOP, ^Z or a debugger), so that it does not answer", dir, m.cmd.Process.Pid)
	mend := fmt.Sprintf("Run: kill -CONT %d", m.cmd.Process.Pid)
	var commands []*process
	for _, args := range [][]string{{"status", dir}, {"umount", dir}, {"umount", "--wait", dir}, {"wait", dir}, {"stat", dir + "/media"}, {"refresh", dir}, {"why", dir + "/media"}} {
		commands = append(commands, e.start(args...))
	}
	for _, p := range commands {
		require.Equal(t, cli.ExitStale, p.wait(), "%v: %s", p.cmd.Args, p.stderr)
		require.Contains(t, p.stderr.String(), said+". "+mend+"\n", p.cmd.Args)
	}
	stopped := doctor.Finding{Check: "mounts", Level: doctor.Failure, Says: said, Fix: mend}
	require.Contains(t, e.doctor(dir)("mounts"), stopped)
	require.Contains(t, e.doctor()("mounts"), stopped)
	m.signal(syscall.SIGCONT)
	e.must("ls media")
	e.succeed("status", dir)
	m.stop()
	code, _, stderr := e.run("umount", "--force", dir)
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, fmt.Sprintf("detached; process %d is stopped, and ends after: kill -CONT %d\n", m.cmd.Process.Pid, m.cmd.Process.Pid))
	m.signal(syscall.SIGCONT)
	m.wait()
}
