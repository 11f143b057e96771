package main

import (
	"testing"

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
	e.fail(exitUnpublished, `/media/x\u202ey, now .paperfs/failed/x\u202ey: `, "wait", dir)
	e.fail(exitUnpublished, "READONLY", "umount", "--wait", dir)
	e.fail(exitNotMounted, "no paperfs", "umount", dir)
}
