package main

import (
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/exit"
	"paperfs/fs/mountpoint"

	"github.com/stretchr/testify/require"
)

// TestWhyAfterAKill shows that the reason of what lies in .paperfs/failed
// outlasts the mount.
func TestWhyAfterAKill(t *testing.T) {
	e := newEnvironment(t)
	p := e.mount("--data", e.path("data"))
	e.must("ls media")
	e.admin("readonly", "on")
	_, err := e.sh("echo logo > ../logo.svg && cp ../logo.svg media/")
	require.Error(t, err)
	e.must("until ls .paperfs/failed/logo.svg; do :; done")
	p.signal(syscall.SIGKILL)
	p.wait()
	require.NoError(t, mountpoint.Detach(e.path("ipaper")))

	e.mount("--data", e.path("data"))
	for _, path := range []string{"ipaper/media/logo.svg", "ipaper/.paperfs/failed/logo.svg"} {
		require.Regexp(t, `/media/logo.svg was not published, its content is in .paperfs/failed/logo.svg: .*READONLY`, e.succeed("why", e.path(path)))
	}
	e.must("rm .paperfs/failed/logo.svg")
	e.fail(exit.Failure, "no failure", "why", e.path("ipaper/media/logo.svg"))
}
