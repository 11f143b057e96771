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
	"paperfs/remote/testrun"
)

// unpackKept unpacks what testdata/keep packed of a version: a data directory and the state of its mount. The state is that of another
// boot.
func (e *environment) unpackKept(version string) {
	f := testrun.Must(os.Open("testdata/" + version + ".tar.gz"))(e.t)
	defer f.Close()
	z := testrun.Must(gzip.NewReader(f))(e.t)
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(e.t, err)
		path := filepath.Join(e.path(ownData), strings.TrimPrefix(head.Name, "data/"))
		if name, is := strings.CutPrefix(head.Name, "state/"); is {
			path = e.path("kept", name)
		}
		if head.FileInfo().IsDir() {
			require.NoError(e.t, os.MkdirAll(path, 0o700))
			continue
		}
		content := testrun.Must(io.ReadAll(r))(e.t)
		require.NoError(e.t, os.WriteFile(path, content, 0o600))
	}
	account := state.AccountDirs(e.path(".local", "state"), e.path(".cache"), "embedded:"+e.path(ownData), "").
		Of(strings.TrimSpace(string(read(e.t, e.path(ownData, "content", "id")))))
	require.NoError(e.t, os.MkdirAll(filepath.Dir(account.State), 0o700))
	require.NoError(e.t, os.Rename(e.path("kept"), account.State))
}

// TestNothingIsLostOfWhatAnEarlierVersionKept checks published, queued, failed and local content, what was being written, and what can
// be undone, before and after it is sent. Each version since 1.0.0, and the last commit before it, is a row.
func TestNothingIsLostOfWhatAnEarlierVersionKept(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"before-1.0.0", "1.0.0"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			e := newEnvironment(t)
			e.compiled(ownData)
			e.unpackKept(version)
			p := e.mount("--write-back", "--allow-delete")
			e.succeed("refresh", e.path("ipaper")) // what is known of content has the port of the earlier program
			e.seesKept()
			require.Equal(t, "stays away", e.must("cd media; test .note.swp -ef .other.swp; echo -n $(cat .other.swp) $(readlink .link.swp)"))
			require.Equal(t, "begun editpublished one half of it", e.must("cd .paperfs/failed; test $(ls | wc -l) = 3; echo -n $(cat begun) $(cat edited) $(cat half)"))
			e.must(`cp papers/Books/Spring.paper/source.pdf ../spring.pdf; cp papers/Books/Autumn.paper/source.pdf ../autumn.pdf
				grep -q 'Taken over' ../spring.pdf; grep -q 'And more' ../autumn.pdf; cmp ../autumn.pdf papers/Books/Winter.pdf`)
			require.Equal(t, "Autumn.paper\nSpring.paper\n", e.must("ls papers/Books"))
			e.must(`until test "$(grep -c 'waiting "' .paperfs/uploads)" = 5; do sleep 0.05; done`) // some are tried just now

			e.succeed("admin", "--data", e.path(ownData), "readonly", "off")
			e.fail(cli.ExitUnpublished, ".paperfs/failed/half", "wait", e.path("ipaper", "media"))
			for _, paper := range []string{"Autumn", "Winter"} {
				e.succeed("wait", e.path("ipaper", "papers", "Books", paper+".paper"))
			}
			e.succeed("umount", e.path("ipaper"))
			p.wait()
			e.set("XDG_STATE_HOME", e.path("other", "state")) // nothing is known but what the service has
			e.set("XDG_CACHE_HOME", e.path("other", "cache"))
			e.mount("--allow-delete")
			e.seesKept()
			e.must("for paper in Autumn Winter; do grep -q 'And more' papers/Books/$paper.paper/pages/001/text.txt || exit; done")
			e.succeed("undo", e.path("ipaper", "media", "deleted"))
			require.Equal(t, "deleted", e.must("cat media/deleted"))
		})
	}
}

// seesKept checks what the mount shows of papers and media.
func (e *environment) seesKept() {
	e.t.Helper()
	require.Equal(e.t, "edited\nkept\nlarge\nqueued\nreplaced\nsub\n", e.must("ls media"))
	require.Equal(e.t, "kept newer small the published one", e.must("cd media; echo -n $(cat kept) $(cat replaced) $(cat queued) $(cat edited)"))
	require.Equal(e.t, "150000\n", e.must("tr -d b < media/sub/big | cmp - /dev/null; stat -c %s media/sub/big"))
	require.Equal(e.t, "70000\n", e.must("tr -d a < media/large | cmp - /dev/null; stat -c %s media/large"))
	require.Equal(e.t, "Taken over\n", e.must("grep -o 'Taken over' papers/Books/Spring.paper/pages/001/text.txt"))
	require.Contains(e.t, e.must("cat papers/Books/Spring.paper/publication"), "2031-02-03")
	require.Equal(e.t, "false\n", e.must("cat papers/Books/Spring.paper/settings/public"))
}
