package main

import (
	"os"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestASecretThatCannotBePrintedChangesNothing checks what admin commands leave whose output is lost: no account and no
// webhook that nobody has the secret of, and the key that an account had. A pipe that nobody reads holds up nothing for long.
func TestASecretThatCannotBePrintedChangesNothing(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	unread, pipe := fullPipe(t)
	defer unread.Close()
	for _, args := range [][]string{{"account", "add", "shop"}, {"account", "rotate", "APIKey"}, {"webhook", "add", "https://shop.example/hook", "--events", "ordered"}} {
		for _, flags := range [][]string{nil, {"--json"}} {
			out, words := full, "no space left on device"
			if args[1] == "rotate" && flags == nil {
				out, words = pipe, "nobody reads the output"
			}
			cmd := programtest.Command(t, testrun.Patience(), e.program, append(append([]string{"admin", "--data", e.path("data")}, args...), flags...)...)
			said := newOutput()
			cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = e.vars, e.home, out, said
			require.Error(t, cmd.Run(), args)
			require.Equal(t, cli.ExitFailure, cmd.ProcessState.ExitCode(), "%v: %s", args, said)
			require.Contains(t, said.String(), words, args)
			require.Contains(t, e.shut(args, flags), "the standard output is closed", args)
		}
	}
	require.NotContains(t, e.admin("account", "list"), "shop")
	require.NotContains(t, e.admin("webhook", "list"), "shop")
	require.Contains(t, root(t, env, "APIKey", env["PAPERFS_PASSWORD"]), "SUCCESS")
	client, err := os.ReadFile(e.path("data", "client.env"))
	require.NoError(t, err)
	require.Contains(t, string(client), env["PAPERFS_PASSWORD"])
	key := strings.TrimSpace(e.admin("account", "add", "shop"))
	require.Contains(t, root(t, env, "shop", key), "SUCCESS")
	require.Contains(t, e.admin("webhook", "add", "https://shop.example/hook", "--events", "ordered"), "\nsecret whsec_")
}

// shut runs an admin command that begins without a standard output, and returns what it says as it fails.
func (e *environment) shut(args, flags []string) string {
	e.t.Helper()
	words := append(append([]string{"-c", `exec "$0" admin --data "$@" >&-`, e.program, e.path("data")}, args...), flags...)
	cmd, said := programtest.Command(e.t, testrun.Patience(), "sh", words...), newOutput()
	cmd.Env, cmd.Dir, cmd.Stderr = e.vars, e.home, said
	require.Error(e.t, cmd.Run(), args)
	require.Equal(e.t, cli.ExitFailure, cmd.ProcessState.ExitCode(), "%v: %s", args, said)
	return said.String()
}

// fullPipe returns a pipe that takes nothing more.
func fullPipe(t *testing.T) (r, w *os.File) {
	var fds [2]int
	require.NoError(t, unix.Pipe2(fds[:], unix.O_NONBLOCK|unix.O_CLOEXEC))
	for _, size := range []int{4096, 1} {
		for data := make([]byte, size); ; {
			if _, err := unix.Write(fds[1], data); err != nil {
				require.ErrorIs(t, err, unix.EAGAIN)
				break
			}
		}
	}
	require.NoError(t, unix.SetNonblock(fds[1], false))
	w = os.NewFile(uintptr(fds[1]), "pipe")
	t.Cleanup(func() { w.Close() })
	return os.NewFile(uintptr(fds[0]), "pipe"), w
}
