package main

import (
	"os/exec"
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
