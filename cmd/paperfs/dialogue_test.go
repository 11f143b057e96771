package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/fs/programtest"
)

// dialogue is a program with a pseudo-terminal on which it asks somebody.
type dialogue struct {
	*process
	keyboard *os.File
}

// onTerminal starts the command with a terminal for its input.
func (e *environment) onTerminal(args ...string) *dialogue {
	e.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(e.t, err)
	e.t.Cleanup(func() { master.Close() })
	require.NoError(e.t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(e.t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(e.t, err)
	defer slave.Close()
	cmd := programtest.Command(e.t, 0, e.program, args...)
	cmd.Stdin = slave
	return &dialogue{e.launch(cmd), master}
}

// answers waits for a question, and types.
func (p *dialogue) answers(question, answer string) {
	p.t.Helper()
	limit := time.After(patience)
	for {
		more := p.stderr.more()
		if strings.HasSuffix(p.stderr.String(), question) {
			break
		}
		select {
		case <-more:
		case <-p.ended:
			p.t.Fatalf("%v ended without asking %q:\n%s", p.cmd.Args, question, p.stderr)
		case <-limit:
			p.t.Fatalf("%v does not ask %q:\n%s", p.cmd.Args, question, p.stderr)
		}
	}
	_, err := p.keyboard.WriteString(answer)
	require.NoError(p.t, err)
}

// echoed is what the terminal showed of what was typed, once the program has ended.
func (p *dialogue) echoed() string {
	text, _ := io.ReadAll(p.keyboard) // ends with EIO
	return string(text)
}

// TestConfigAddAsksOnATerminal, and the password is not seen there.
func TestConfigAddAsksOnATerminal(t *testing.T) {
	e := newEnvironment(t)
	_, env := e.serving()
	key := env["PAPERFS_PASSWORD"]
	p := e.onTerminal("config", "add", "acme", "--rpm", "0")
	p.answers("(empty for the embedded service): ", env["PAPERFS_URL"]+"\n")
	p.answers("User name: ", "APIKey\n")
	p.answers("Password (empty to keep none): ", key+"\n")
	require.Equal(t, exitOK, p.wait(), p.stderr)
	require.Regexp(t, `the password is in .*acme.password, not in the desktop's keyring: there is no desktop session here`, p.stderr)
	echoed := p.echoed()
	require.Contains(t, echoed, "APIKey")
	require.NotContains(t, echoed+p.stderr.String()+p.stdout.String(), key)
	info, err := os.Stat(e.path(".config/paperfs/acme.password"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	require.Contains(t, e.succeed("config", "test", "acme"), "accepts the user name APIKey")

	p = e.onTerminal("config", "add", "local")
	p.answers("(empty for the embedded service): ", "\n")
	require.Equal(t, exitOK, p.wait(), p.stderr)
	require.Regexp(t, `(?m)^local +embedded service$`, e.succeed("config", "list"))
}

// TestPasswordIsAskedForWhereNothingTellsIt: on a terminal only, which is as
// before when the question is broken off.
func TestPasswordIsAskedForWhereNothingTellsIt(t *testing.T) {
	e := newEnvironment(t)
	_, env := e.serving()
	args := []string{"config", "test", "--url", env["PAPERFS_URL"], "--username", "APIKey"}
	e.fail(exitUsage, "and there is no terminal to ask on", args...)
	question := "Password of APIKey at " + env["PAPERFS_URL"] + ": "
	p := e.onTerminal(args...)
	p.answers(question, env["PAPERFS_PASSWORD"]+"\n")
	require.Equal(t, exitOK, p.wait(), p.stderr)
	require.NotContains(t, p.echoed(), env["PAPERFS_PASSWORD"])

	p = e.onTerminal(args...)
	p.answers(question, "")
	echo := func() bool {
		state, err := unix.IoctlGetTermios(int(p.keyboard.Fd()), unix.TCGETS)
		require.NoError(t, err)
		return state.Lflag&unix.ECHO != 0
	}
	require.False(t, echo(), "from the question on")
	p.signal(unix.SIGINT)
	require.Equal(t, exitFailure, p.wait())
	require.True(t, echo())
}
