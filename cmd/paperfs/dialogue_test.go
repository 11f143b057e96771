package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// dialogue is a program that asks questions on a pseudo-terminal.
type dialogue struct {
	*process
	keyboard *os.File
}

// pseudoTerminal opens both ends of a pseudo-terminal. Reads of the master can have a deadline.
func (e *environment) pseudoTerminal() (master, slave *os.File) {
	e.t.Helper()
	fd := testrun.Must(unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0))(e.t)
	master = os.NewFile(uintptr(fd), "/dev/ptmx")
	e.t.Cleanup(func() { master.Close() })
	require.NoError(e.t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number := testrun.Must(unix.IoctlGetInt(fd, unix.TIOCGPTN))(e.t)
	slave = testrun.Must(os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0))(e.t)
	return master, slave
}

// onTerminal starts the command with a terminal as its input.
func (e *environment) onTerminal(args ...string) *dialogue {
	e.t.Helper()
	master, slave := e.pseudoTerminal()
	defer slave.Close()
	cmd := programtest.Command(e.t, 0, e.program, args...)
	cmd.Stdin = slave
	return &dialogue{e.launch(cmd), master}
}

// shownOnATerminal starts the command with a terminal for its messages. wait waits until a text
// appears, and returns everything shown so far.
func (e *environment) shownOnATerminal(args ...string) (p *process, wait func(text string) string) {
	e.t.Helper()
	master, slave := e.pseudoTerminal()
	defer slave.Close()
	require.NoError(e.t, unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	log := e.log
	defer func() { e.log = log }()
	e.log = slave
	p = e.start(args...)
	return p, e.screen(master)
}

// screen returns a function that waits until a terminal shows a text, and returns everything shown
// so far.
func (e *environment) screen(master *os.File) (wait func(text string) string) {
	all := ""
	return func(text string) string {
		e.t.Helper()
		require.NoError(e.t, master.SetReadDeadline(time.Now().Add(testrun.Patience())))
		for some := make([]byte, 4096); !strings.Contains(all, text); {
			n, err := master.Read(some)
			require.NoError(e.t, err, "%q in %q", text, all)
			all += string(some[:n])
		}
		return all
	}
}

// answers waits for a question and types an answer.
func (p *dialogue) answers(question, answer string) {
	p.t.Helper()
	limit := time.After(testrun.Patience())
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
	testrun.Must(p.keyboard.WriteString(answer))(p.t)
}

// echoed returns what the terminal echoed, once the program has ended.
func (p *dialogue) echoed() string {
	text, _ := io.ReadAll(p.keyboard) // ends with EIO
	return string(text)
}

// TestConfigAddAsksOnATerminal checks that config add asks for its values, and that the password is
// not echoed.
func TestConfigAddAsksOnATerminal(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	key := env["PAPERFS_PASSWORD"]
	p := e.onTerminal("config", "add", "acme", "--rpm", "0")
	p.answers("(empty for the embedded service): ", env["PAPERFS_URL"]+"\n")
	p.answers("User name: ", "APIKey\n")
	p.answers("Password (empty to keep none): ", key+"\n")
	require.Equal(t, cli.ExitOK, p.wait(), p.stderr)
	require.Regexp(t, `the password is in .*acme.password, not in the desktop's keyring: there is no desktop session`, p.stderr)
	echoed := p.echoed()
	require.Contains(t, echoed, "APIKey")
	require.NotContains(t, echoed+p.stderr.String()+p.stdout.String(), key)
	info := testrun.Must(os.Stat(e.path(".config/paperfs/acme.password")))(t)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	require.Equal(t, doctor.OK, e.doctor("acme")("credentials")[0].Level)

	p = e.onTerminal("config", "add", "local")
	p.answers("(empty for the embedded service): ", "\n")
	require.Equal(t, cli.ExitOK, p.wait(), p.stderr)
	require.Regexp(t, `(?m)^local +embedded service$`, e.succeed("config", "list"))
}

// TestPasswordIsAskedForWhereNothingTellsIt checks that a command asks for a missing password only
// on a terminal, and that an interrupted question restores the terminal.
func TestPasswordIsAskedForWhereNothingTellsIt(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	args := []string{"doctor", "--url", env["PAPERFS_URL"], "--username", "APIKey"}
	require.Contains(t, e.doctor(args[1:]...)("settings")[0].Says, "and there is no terminal to ask on")
	question := "Password of APIKey at " + env["PAPERFS_URL"] + ": "
	p := e.onTerminal(args...)
	p.answers(question, env["PAPERFS_PASSWORD"]+"\n")
	p.wait()
	require.Contains(t, p.stdout.String(), "credentials: accepted")
	require.NotContains(t, p.echoed(), env["PAPERFS_PASSWORD"])

	p = e.onTerminal(args...)
	p.answers(question, "")
	echo := func() bool {
		return testrun.Must(unix.IoctlGetTermios(int(p.keyboard.Fd()), unix.TCGETS))(t).Lflag&unix.ECHO != 0
	}
	require.False(t, echo(), "no echo once the question is asked")
	p.signal(unix.SIGINT)
	require.Equal(t, cli.ExitFailure, p.wait())
	require.Contains(t, p.stderr.String(), "\npaperfs: there was no answer, so nothing was done\n")
	require.True(t, echo())

	p = e.onTerminal(args...)
	p.answers(question, "\x04")
	require.Equal(t, cli.ExitUnwell, p.wait())
	require.Contains(t, p.stdout.String(), "settings: there was no answer, so nothing was done\n")
	require.True(t, echo())
	p = e.onTerminal("config", "add", "acme")
	p.answers("(empty for the embedded service): ", "\x04")
	require.Equal(t, cli.ExitFailure, p.wait())
	require.Contains(t, p.stderr.String(), "paperfs: there was no answer, so nothing was done\n")
	require.NoFileExists(t, e.path(".config/paperfs/config.toml"))
}
