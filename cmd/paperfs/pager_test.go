package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"

	"github.com/stretchr/testify/require"
)

// atTerminal starts the command as a shell does: the terminal is its input and output, and sends it
// a signal at ^C.
func (e *environment) atTerminal(args ...string) (p *process, keyboard *os.File, wait func(text string) string) {
	e.t.Helper()
	master, slave := e.pseudoTerminal()
	defer slave.Close()
	p = e.prepare(programtest.Command(e.t, 0, e.program, args...))
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = slave, slave, slave
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.begin()
	return p, master, e.screen(master)
}

// TestAPagerShowsTopics checks that help uses a pager on a terminal, and writes directly elsewhere.
func TestAPagerShowsTopics(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAGER", "sed 's/^/shown: /'")
	p, _, wait := e.atTerminal("help", "search")
	wait("shown: # Searching\r\n")
	require.Equal(t, cli.ExitOK, p.wait())
	require.True(t, strings.HasPrefix(e.succeed("help", "search"), "# Searching\n"))

	p, _, wait = e.atTerminal("help", "config", "add")
	wait("shown: Add a profile\r\n")
	require.Equal(t, cli.ExitOK, p.wait())
	p, _, wait = e.atTerminal("search") // `paperfs search` shows the topic, although it is no command
	require.NotContains(t, wait("# Searching\r\n"), "shown:")
	require.Equal(t, cli.ExitOK, p.wait())
}

// TestWithoutAPagerTopicsAreWritten checks a disabled pager and a missing one.
func TestWithoutAPagerTopicsAreWritten(t *testing.T) {
	t.Parallel()
	for _, pager := range []string{"", "cat", "no-such-pager -x"} {
		e := newEnvironment(t)
		e.set("PAGER", pager)
		p, _, wait := e.atTerminal("help", "search")
		wait("# Searching\r\n")
		require.Equal(t, cli.ExitOK, p.wait(), pager)
	}
}

// TestThePagerThatUsersHave checks that less is the default.
func TestThePagerThatUsersHave(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PATH", e.path("bin"))
	require.NoError(t, os.Mkdir(e.path("bin"), 0o755))
	script := "#!/bin/sh\necho less with \"$@\"\nexec /bin/cat\n"
	require.NoError(t, os.WriteFile(e.path("bin", "less"), []byte(script), 0o755))
	p, _, wait := e.atTerminal("help", "search")
	wait("less with -FRX\r\n# Searching\r\n")
	require.Equal(t, cli.ExitOK, p.wait())
}

// TestInterruptsBelongToThePager checks that ^C does not end the command while the pager uses its
// terminal.
func TestInterruptsBelongToThePager(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAGER", `trap 'echo heard; read answer < /dev/tty; echo "read $answer"; exit 0' INT; cat > /dev/null; echo ready; while :; do sleep 0.05; done`)
	p, keyboard, wait := e.atTerminal("help", "search")
	wait("ready\r\n")
	_, err := keyboard.WriteString("\x03")
	require.NoError(t, err)
	wait("heard\r\n")
	_, err = keyboard.WriteString("more\n")
	require.NoError(t, err)
	wait("read more\r\n")
	require.Equal(t, cli.ExitOK, p.wait())
}

// TestAPagerThatIsLeftEarly checks that a pager that exits before it has read everything is no
// failure.
func TestAPagerThatIsLeftEarly(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAGER", "head -1; exit 1")
	p, _, wait := e.atTerminal("help", "scripts")
	wait("# For scripts: exit codes and JSON\r\n")
	require.Equal(t, cli.ExitOK, p.wait())
}
