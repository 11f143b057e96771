package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// TestDownloadsAreTold reads the beginning of a file and pauses: the status says how much of it is
// here, until it is closed.
func TestDownloadsAreTold(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	for _, name := range []string{"PAPERFS_URL", "PAPERFS_USERNAME", "PAPERFS_PASSWORD"} {
		e.set(name, env[name])
	}
	first := e.mount()
	e.must("head -c 64M /dev/zero > media/film.mp4")
	e.succeed("umount", e.path("ipaper"))
	require.Zero(t, first.wait())
	require.NoError(t, os.RemoveAll(e.path(".cache")))

	e.mount()
	require.NotContains(t, e.succeed("status", e.path("ipaper")), "download:")
	player := programtest.Command(t, 0, "sh", "-c", `exec < "$1"; head -c 4M > /dev/null; echo paused; read x <&3`, "sh", e.path("ipaper/media/film.mp4"))
	pause, release, err := os.Pipe()
	require.NoError(t, err)
	player.ExtraFiles = []*os.File{pause}
	require.NoError(t, player.Start())
	t.Cleanup(func() { release.Close(); _ = player.Wait() })

	told := func() []control.Download {
		var s control.Status
		require.NoError(t, json.Unmarshal([]byte(e.succeed("status", "--json", e.path("ipaper"))), &s))
		return s.Media.Downloads
	}
	var d control.Download
	require.Eventually(t, func() bool {
		list := told()
		if len(list) == 1 {
			d = list[0]
		}
		return d.Here >= 4<<20
	}, testrun.Patience(), 1)
	require.Equal(t, "media/film.mp4", d.Place)
	require.EqualValues(t, 64<<20, d.Size)
	require.Less(t, d.Here, d.Size)
	require.Regexp(t, `download: +media/film.mp4: \d+(\.\d)? MiB of 64 MiB here`, e.succeed("status", e.path("ipaper")))
	release.Close()
	require.Eventually(t, func() bool { return len(told()) == 0 }, testrun.Patience(), 1)
}
