package main

import (
	"testing"

	"paperfs/cmd/paperfs/exit"

	"github.com/stretchr/testify/require"
)

// A user who waits learns by an exit code what did not arrive, and its name.
func TestAWaitNamesWhatDidNotArrive(t *testing.T) {
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	dir := e.path("ipaper")
	e.must("ls media")
	e.succeed("wait", dir)
	e.admin("readonly", "on")
	_, err := e.sh("mkdir media/d")
	require.Error(t, err)
	e.succeed("wait", dir) // which names what is refused while it waits

	_, err = e.sh(`echo logo > ../logo.svg; cp ../logo.svg "media/$(printf 'x\342\200\256y')"`)
	require.Error(t, err)
	e.fail(exit.Unpublished, `/media/x\u202ey, now .paperfs/failed/x\u202ey: `, "wait", dir)
	e.fail(exit.Unpublished, "READONLY", "umount", "--wait", dir)
	e.fail(exit.NotMounted, "no paperfs", "umount", dir)
}
