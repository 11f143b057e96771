package main

import (
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// manager is a service manager that listens for a service's notifications.
func (e *environment) manager() (next func() string) {
	address := &net.UnixAddr{Name: e.path("notify"), Net: "unixgram"}
	l, err := net.ListenUnixgram("unixgram", address)
	require.NoError(e.t, err)
	e.t.Cleanup(func() { l.Close() })
	if e.user != nil {
		require.NoError(e.t, os.Chmod(address.Name, 0o777))
	}
	e.set("NOTIFY_SOCKET", address.Name)
	told := make(chan string, 100)
	go func() {
		defer close(told)
		for buffer := make([]byte, 4096); ; {
			n, err := l.Read(buffer)
			if err != nil {
				return
			}
			told <- string(buffer[:n])
		}
	}()
	return func() string {
		select {
		case line := <-told:
			return line
		case <-time.After(testrun.Patience()):
			return "nothing"
		}
	}
}

// TestAMountTellsItsManager checks that a mount notifies its service manager when it is ready, when
// it stops, and of what it then waits for.
func TestAMountTellsItsManager(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	next := e.manager()
	p := e.mount()
	require.Regexp(t, `^READY=1\nSTATUS=mounted http://127\S+ \(embedded service, data in \S+\) on `+e.path("ipaper")+`$`, next())
	_, release := e.hold()
	p.signal(syscall.SIGTERM)
	require.Equal(t, "STOPPING=1\nSTATUS=unmounting", next())
	require.Equal(t, "STATUS=the mount is in use", next())
	release()
	require.Equal(t, cli.ExitOK, p.wait())
}

// TestAMountTellsItsManagerWhatAStopSends checks that a stopping mount reports what it still sends.
func TestAMountTellsItsManagerWhatAStopSends(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	e := newEnvironment(t)
	for name, value := range map[string]string{"URL": f.URL, "USERNAME": f.Username, "PASSWORD": f.Password} {
		e.set("PAPERFS_"+name, value)
	}
	next := e.manager()
	p := e.mount("--write-back")
	require.Contains(t, next(), "READY=1\n")
	e.must("ls media")
	f.Stop()
	e.must("echo one > media/one")
	p.signal(syscall.SIGTERM)
	require.Equal(t, "STOPPING=1\nSTATUS=unmounting", next())
	require.Equal(t, "STATUS=sending 1 queued files", next())
	p.ends(syscall.SIGTERM)
	require.Contains(t, p.stderr.String(), "1 files stay queued; the next mount sends them")
}

func TestServeTellsItsManager(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	next := e.manager()
	p := e.start("serve", "--data", e.path("data"), "--listen", "127.0.0.1:0")
	require.Regexp(t, `^READY=1\nSTATUS=serving \S+/data at http://127\.0\.0\.1:\d+$`, next())
	p.signal(syscall.SIGTERM)
	require.Equal(t, "STOPPING=1\nSTATUS=finishing the requests under way", next())
	require.Equal(t, cli.ExitOK, p.wait())
}

// verify fails the test if systemd finds a problem in a unit.
func (e *environment) verify(name, text string, manager ...string) {
	e.t.Helper()
	e.t.Run("systemd verifies "+name, func(t *testing.T) {
		analyze := testrun.Program(t, "systemd-analyze")
		require.NoError(t, os.WriteFile(e.path(name), []byte(text), 0o600))
		cmd := programtest.Command(t, testrun.Patience(), analyze, append(append([]string{"verify", "--man=no"}, manager...), e.path(name))...)
		cmd.Env = append(programtest.Bare("HOME="+e.home, "XDG_RUNTIME_DIR="+e.home), "SYSTEMD_LOG_LEVEL=notice")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		for line := range strings.Lines(string(out)) {
			require.NotContains(t, line, e.path(name), "systemd reports no problem")
		}
	})
}
