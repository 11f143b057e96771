package main

import (
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestAnUnmountDuringAChange ends the program of a change that the service does not answer. umount
// says what the mount's process still finishes, and a signal ends that. The next mount shows what the
// service has.
func TestAnUnmountDuringAChange(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	e := newEnvironment(t)
	for name, value := range map[string]string{"URL": proxy.URL, "USERNAME": f.Username, "PASSWORD": f.Password} {
		e.set("PAPERFS_"+name, value)
	}
	p := e.mount("--allow-delete")
	e.must("echo one > media/one")
	proxy.Freeze(remote.MoveFile)
	before := proxy.Count(remote.MoveFile)
	mv := programtest.Command(t, 0, "mv", e.path("ipaper/media/one"), e.path("ipaper/media/two"))
	require.NoError(t, mv.Start())
	require.Eventually(t, func() bool { return proxy.Count(remote.MoveFile) > before }, testrun.Patience(), time.Millisecond)
	require.NoError(t, mv.Process.Kill())
	require.IsType(t, new(exec.ExitError), mv.Wait())

	umount := e.start("umount", e.path("ipaper"))
	umount.says("it finishes MoveFile, begun ")
	p.signal(syscall.SIGTERM)
	require.Equal(t, cli.ExitOK, p.wait(), p.stderr)
	require.Equal(t, cli.ExitOK, umount.wait(), umount.stderr)
	e.mount("--allow-delete")
	require.Equal(t, "one\n", e.must("cat media/one"))
	require.Equal(t, "one\n", e.must("ls media"))
}

// TestTheEndNamesWhatOnlyThisMachineHas checks that mount names unfinished downloads at its end:
// they are not on the service, and users would not look for them once the mount has ended.
func TestTheEndNamesWhatOnlyThisMachineHas(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must(`mkdir papers/C; echo half > media/x.part; echo half > papers/C/y.crdownload; : > media/empty.part
		echo litter > media/Thumbs.db; echo litter > media/.hidden; echo whole > media/whole`)
	_, _, said := e.run("umount", e.path("ipaper"))
	<-p.ended
	for _, said := range []string{said, p.stderr.String()} {
		require.Regexp(t, `not on the service, because their names are unfinished; kept in /.*/spool:
  media/x\.part \(5 B\): the next mount shows it there; .*
  papers/C/y\.crdownload \(5 B\): the next mount puts it into \.paperfs/failed/; .*
`, said)
		require.NotRegexp(t, "Thumbs|hidden|whole|empty", said)
	}
	e.mount()
	require.Equal(t, "half\nhalf\n", e.must("cat media/x.part .paperfs/failed/y.crdownload"))
	e.must("rm media/x.part .paperfs/failed/y.crdownload")
	_, _, said = e.run("umount", e.path("ipaper"))
	require.NotContains(t, said, "not on the service")
}

// TestAnUnmountDuringADownload has a program read a file of the embedded service more slowly than it
// comes. umount says that it waits for such programs, and ends when they have.
func TestAnUnmountDuringADownload(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	require.NoError(t, os.WriteFile(e.path("ipaper/media/large"), make([]byte, 64<<20), 0o600)) // more than a connection holds
	answer := testrun.Must(http.Get(strings.TrimSpace(e.succeed("url", e.path("ipaper/media/large")))))(t)
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)

	umount := e.start("umount", e.path("ipaper"))
	umount.says("programs that ask its service, such as a download, ")
	require.NoError(t, answer.Body.Close())
	require.Equal(t, cli.ExitOK, umount.wait(), umount.stderr)
	require.Equal(t, cli.ExitOK, p.wait(), p.stderr)
}

// TestACommandSaysThatItsMountIsUnmounted ends a mount beside a command that follows it.
func TestACommandSaysThatItsMountIsUnmounted(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	e := newEnvironment(t)
	for name, value := range map[string]string{"URL": f.URL, "USERNAME": f.Username, "PASSWORD": f.Password} {
		e.set("PAPERFS_"+name, value)
	}
	m := e.mount()
	colleague := testrun.Must(remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password}))(t)
	defer colleague.Close()
	p, made := e.start("events", e.path("ipaper")), 0
	require.Eventually(t, func() bool {
		made++
		_, err := colleague.CreateDirectory(t.Context(), 0, strconv.Itoa(made))
		return err == nil && strings.Contains(p.stdout.String(), "directory")
	}, testrun.Patience(), 100*time.Millisecond)
	m.signal(syscall.SIGTERM)
	require.Equal(t, cli.ExitOK, m.wait(), m.stderr)
	require.Equal(t, cli.ExitNotMounted, p.wait(), p.stderr)
	require.Contains(t, p.stderr.String(), "no paperfs is mounted there")
}
