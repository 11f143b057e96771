package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// published runs a script in a mount of a service elsewhere. Nothing of it stays on this machine.
func (e *environment) published(script string) {
	e.t.Helper()
	_, env := e.serving()
	for _, name := range []string{"PAPERFS_URL", "PAPERFS_USERNAME", "PAPERFS_PASSWORD"} {
		e.set(name, env[name])
	}
	p := e.mount()
	e.must(script)
	e.succeed("umount", e.path("ipaper"))
	require.Zero(e.t, p.wait())
	require.NoError(e.t, os.RemoveAll(e.path(".cache")))
}

func (e *environment) downloads() []control.Download {
	e.t.Helper()
	var s control.Status
	require.NoError(e.t, json.Unmarshal([]byte(e.succeed("status", "--json", e.path("ipaper"))), &s))
	return s.Media.Downloads
}

// TestDownloadsAreTold reads the beginning of a file and pauses: the status says how much of it is
// here, until it is closed.
func TestDownloadsAreTold(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.published("head -c 32M /dev/zero > media/film.mp4")
	e.mount()
	require.NotContains(t, e.succeed("status", e.path("ipaper")), "download:")
	player := programtest.Command(t, 0, "sh", "-c", `exec < "$1"; head -c 4M > /dev/null; echo paused; read x <&3`, "sh", e.path("ipaper/media/film.mp4"))
	pause, release := testrun.Must2(os.Pipe())(t)
	player.ExtraFiles = []*os.File{pause}
	require.NoError(t, player.Start())
	t.Cleanup(func() { release.Close(); _ = player.Wait() })

	var d control.Download
	require.Eventually(t, func() bool {
		list := e.downloads()
		if len(list) == 1 {
			d = list[0]
		}
		return d.Here >= 4<<20
	}, testrun.Patience(), 20*time.Millisecond)
	require.Equal(t, "media/film.mp4", d.Place)
	require.EqualValues(t, 32<<20, d.Size)
	require.Less(t, d.Here, d.Size)
	require.Regexp(t, `download: +media/film.mp4: \d+(\.\d)? MiB of 32 MiB here`, e.succeed("status", e.path("ipaper")))
	release.Close()
	require.Eventually(t, func() bool { return len(e.downloads()) == 0 }, testrun.Patience(), 20*time.Millisecond)
}

// TestAMountKilledWhileItReads kills a mount while content comes. The next one has none of it but what
// is whole.
func TestAMountKilledWhileItReads(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.published("head -c 64M /dev/urandom > media/film.mp4 && sha256sum < media/film.mp4 > ../sum")
	moments := []int64{1, 8 << 20, 40 << 20}
	if !testrun.All() {
		moments = moments[1:2]
	}
	for _, here := range moments {
		p := e.mount()
		reader := programtest.Command(t, 0, "cat", e.path("ipaper/media/film.mp4"))
		require.NoError(t, reader.Start())
		ended := make(chan struct{})
		go func() { _ = reader.Wait(); close(ended) }()
		require.Eventually(t, func() bool {
			list := e.downloads()
			return len(list) == 1 && list[0].Here >= here || isClosed(ended)
		}, testrun.Patience(), 20*time.Millisecond)
		p.signal(syscall.SIGKILL)
		p.wait()
		<-ended
		e.succeed("umount", "--force", e.path("ipaper"))

		p = e.mount()
		require.NoError(t, filepath.WalkDir(e.path(".cache"), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && len(d.Name()) == 64 {
				content := testrun.Must(os.ReadFile(path))(t)
				require.Equal(t, d.Name(), fmt.Sprintf("%x", sha256.Sum256(content)))
			}
			require.NotEqual(t, "incoming", filepath.Base(filepath.Dir(path)), path)
			return err
		}))
		e.must("sha256sum < media/film.mp4 | cmp - ../sum")
		e.succeed("umount", e.path("ipaper"))
		require.Zero(t, p.wait())
		require.NoError(t, os.RemoveAll(e.path(".cache")))
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
