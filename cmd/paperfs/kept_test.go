package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/cmd/paperfs/cli"
)

// unpackKept unpacks a data directory and the state of its mount as the program of commit 9f78b6c2 left them when it was
// killed, during a maintenance window: nothing that it had queued was sent. The state is that of another boot.
func (e *environment) unpackKept() {
	account := state.AccountDirs(e.path(".local", "state"), e.path(".cache"), "embedded:"+e.path(ownData), "")
	f, err := os.Open("testdata/kept.tar.gz")
	require.NoError(e.t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(e.t, err)
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(e.t, err)
		path := filepath.Join(e.path(ownData), strings.TrimPrefix(head.Name, "data/"))
		if name, is := strings.CutPrefix(head.Name, "state/account/"); is {
			path = filepath.Join(account.State, name)
		}
		require.NoError(e.t, os.MkdirAll(filepath.Dir(path), 0o700))
		content, err := io.ReadAll(r)
		require.NoError(e.t, err)
		require.NoError(e.t, os.WriteFile(path, content, 0o600))
	}
}

// TestNothingIsLostOfWhatAnEarlierProgramKept checks published, queued, failed and local content, and what was being
// written, before and after it is sent.
func TestNothingIsLostOfWhatAnEarlierProgramKept(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	e.unpackKept()
	p := e.mount("--write-back", "--allow-delete")
	e.succeed("refresh", e.path("ipaper")) // what is known of content has the port of the earlier program
	require.Equal(t, "ahead\nbig\nedited\nkept\nlarge\nqueued\nreplaced\nsub\n", e.must("ls media"))
	require.Equal(t, "kept newer small the published one", e.must("cd media; echo -n $(cat kept) $(cat replaced) $(cat queued) $(cat edited)"))
	require.Equal(t, "150000\n", e.must("tr -d b < media/big | cmp - /dev/null; stat -c %s media/big"))
	require.Equal(t, "70000\n", e.must("tr -d a < media/large | cmp - /dev/null; stat -c %s media/large"))
	require.Equal(t, "stays away", e.must("cd media; test .note.swp -ef .other.swp; echo -n $(cat .other.swp) $(readlink .link.swp)"))
	require.Equal(t, "begun editpublished one half of it", e.must("cd .paperfs/failed; test $(ls | wc -l) = 3; echo -n $(cat begun) $(cat edited) $(cat half)"))
	require.Equal(t, "Autumn.paper\nSpring.paper\n", e.must("ls papers/Books"))
	require.Equal(t, "Taken over\n", e.must(`cp papers/Books/Spring.paper/source.pdf ../one.pdf;  grep -o "Taken over" papers/Books/Spring.paper/pages/001/text.txt; cmp papers/Books/Autumn.paper/source.pdf ../one.pdf`))
	require.Equal(t, 5, strings.Count(e.must("cat .paperfs/uploads"), "waiting \""))

	e.succeed("admin", "--data", e.path(ownData), "readonly", "off")
	e.fail(cli.ExitUnpublished, ".paperfs/failed/half", "wait", e.path("ipaper", "media"))
	e.succeed("wait", e.path("ipaper", "papers", "Books", "Autumn.paper"))
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	e.set("XDG_STATE_HOME", e.path("other", "state")) // nothing is known but what the service has
	e.set("XDG_CACHE_HOME", e.path("other", "cache"))
	e.mount()
	require.Equal(t, "ahead\nbig\nedited\nkept\nlarge\nqueued\nreplaced\nsub\n", e.must("ls media"))
	require.Equal(t, "kept newer small the published one", e.must("cd media; echo -n $(cat kept) $(cat replaced) $(cat queued) $(cat edited)"))
	require.Equal(t, "150000\n", e.must("tr -d b < media/big | cmp - /dev/null; stat -c %s media/big"))
	e.must("test -s papers/Books/Autumn.paper/pages/001/zoom.jpg") // its text is beyond the page's edge
}
