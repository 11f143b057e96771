package main

import (
	"net"
	"os"
	"os/user"
	"slices"
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
	p.signal(syscall.SIGTERM)
	require.Equal(t, cli.ExitOK, p.wait())
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

func TestSystemdUnits(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	me, err := user.Current()
	require.NoError(t, err)
	dir := e.path("my $papers 100%")

	unit := e.succeed("systemd-unit", dir)
	require.Contains(t, unit, "\nUser="+me.Username+"\n")
	require.Contains(t, unit, "\nExecStart="+e.program+` mount "`+e.path("my $$papers 100%%")+`"`+"\n")
	require.Contains(t, unit, "\nType=notify\n")
	require.Contains(t, unit, "\nKillMode=mixed\n")
	require.Contains(t, unit, "\nWantedBy=multi-user.target\n")
	e.verify("system.service", unit)

	e.fail(cli.ExitUsage, "acme", "systemd-unit", "acme", "ipaper")
	require.NoError(t, os.MkdirAll(e.path(".config/paperfs"), 0o700))
	require.NoError(t, os.WriteFile(e.path(".config/paperfs/config.toml"), []byte("[acme]\nurl = \"https://x.example\"\n"), 0o600))
	unit = e.succeed("systemd-unit", "--user", "--allow-delete", "--local", "*.bak", "--local", "*.log", "--ca-file", "ca.pem", "acme", "ipaper")
	require.NotContains(t, unit, "User=")
	require.Contains(t, unit, "# Write this to ~/.config/systemd/user/paperfs-acme.service")
	require.Contains(t, unit, "\nExecStart="+e.program+" mount --ca-file="+e.path("ca.pem")+" --local=*.bak --local=*.log --allow-delete=true acme "+e.path("ipaper")+"\n")
	require.Contains(t, unit, "\nWantedBy=default.target\n")
	e.verify("user.service", unit, "--user")

	require.Contains(t, e.succeed("systemd-unit", "--config", ".config/paperfs/config.toml", "acme", "ipaper"), " mount --config="+e.path(".config/paperfs/config.toml")+" acme ")
	other := &environment{t: t, home: e.home, program: e.program, vars: append(slices.Clone(e.vars), "PAPERFS_CONFIG=.config/paperfs/config.toml")}
	require.Contains(t, other.succeed("systemd-unit", "acme", "ipaper"), " mount --config="+e.path(".config/paperfs/config.toml")+" acme ")
	unit = e.succeed("systemd-unit", "serve", "--data", "data", "--listen", "127.0.0.1:8080")
	require.Contains(t, unit, "\nExecStart="+e.program+" serve --listen=127.0.0.1:8080 --data="+e.path("data")+"\n")
	e.verify("serve.service", unit)
	node := []string{"--database=postgres://me@db.example/papers", "--objects=s3://s3.example/bucket", "--scratch=" + e.path("scratch"), "--node=one"}
	unit = e.succeed(append([]string{"systemd-unit", "serve"}, node...)...)
	require.Contains(t, unit, "\nEnvironmentFile=/etc/paperfs/node.env\n")
	require.Contains(t, unit, "\nExecStart="+e.program+" serve "+strings.Join(node, " ")+"\n")
	e.verify("node.service", unit)
	e.fail(cli.ExitUsage, "leave it out, and set PGPASSWORD", "systemd-unit", "serve", "--database", "postgres://me:sesame@db.example/papers")
	e.fail(cli.ExitUsage, "they belong in the environment", "systemd-unit", "serve", node[0], "--objects", "s3://me:sesame@s3.example/bucket")

	e.fail(cli.ExitUsage, "units hold none, since everybody can read them", "systemd-unit", "https://publications.example", "ipaper")
	e.set("PAPERFS_USERNAME", "APIKey")
	unit = e.succeed("systemd-unit", "--user", "--password-file", "my key", "https://publications.example", "ipaper")
	require.Contains(t, unit, "\nExecStart="+e.program+" mount --url=https://publications.example --username=APIKey \"--password-file="+e.path("my key")+"\" "+e.path("ipaper")+"\n")
	e.verify("url.service", unit, "--user")
}
