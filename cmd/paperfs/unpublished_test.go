package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A user who waits learns by an exit code what did not arrive, and its name.
func TestAWaitNamesWhatDidNotArrive(t *testing.T) {
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	m := mounted{e.path("ipaper")}
	e.must("ls media")
	e.succeed("wait", m.dir)
	e.admin("readonly", "on")
	began := time.Now()
	_, err := e.sh("mkdir media/d")
	require.Error(t, err)
	require.ErrorContains(t, m.unpublished(began), "/media/d: ")
	require.NoError(t, m.unpublished(began.Add(time.Hour)), "that was before")

	_, err = e.sh(`echo logo > ../logo.svg; cp ../logo.svg "media/$(printf 'x\342\200\256y')"`)
	require.Error(t, err)
	e.fail(exitUnpublished, `/media/x\u202ey, now .paperfs/failed/x\u202ey: `, "wait", m.dir)
	e.fail(exitUnpublished, "READONLY", "umount", "--wait", m.dir)
	e.fail(exitNotMounted, "no paperfs", "umount", m.dir)
}
