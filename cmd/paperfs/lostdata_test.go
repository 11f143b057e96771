package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestDataThatIsReplaced puts other data, which has the same ids, into the data directory between two mounts. What was not sent goes
// to .paperfs/failed and to nothing of the other data. With the old data, all that stayed on this machine is back.
func TestDataThatIsReplaced(t *testing.T) {
	t.Parallel()
	id := map[string]string{}
	other := newEnvironment(t)
	for _, e := range []*environment{other, newEnvironment(t)} {
		e.compiled(ownData)
		paper := map[bool]string{true: "Theirs", false: "Ours"}[e == other]
		p := e.mount("--write-back")
		e.must("mkdir papers/C papers/C/" + paper + ".paper; echo local > media/x.part; echo one > media/a")
		id[paper] = strings.TrimSpace(e.must("cat papers/C/" + paper + ".paper/id"))
		e.succeed("wait", e.path("ipaper"))
		e.succeed("umount", e.path("ipaper"))
		p.wait()
		if e == other {
			continue
		}
		require.Equal(t, id["Theirs"], id["Ours"], "other data has the same ids")
		e.queuePDF(id["Ours"], "/papers/C/Ours.paper/source.pdf")
		data, account := e.path(".local", "share", "paperfs"), filepath.Dir(e.stateDatabase())
		require.NoError(t, os.Rename(data, data+".ours"))
		require.NoError(t, os.Rename(other.path(".local", "share", "paperfs"), data))

		p = e.mount("--write-back")
		require.Contains(t, p.stderr.String(), "What was not sent to the other data is in .paperfs/failed now (files: 1); all else stays in "+account)
		require.Contains(t, e.must("cat .paperfs/errors"), account)
		e.fail(cli.ExitUnpublished, "was removed or replaced before it was sent", "wait", e.path("ipaper"))
		require.Empty(t, e.must("cat papers/C/Theirs.paper/job"))
		require.Equal(t, "source.pdf\n", e.must("ls .paperfs/failed"))
		require.Equal(t, "a\n", e.must("ls media"))
		e.must("mkdir papers/C/Ours.paper; mv .paperfs/failed/source.pdf papers/C/Ours.paper/")
		e.succeed("wait", e.path("ipaper", "papers", "C", "Ours.paper"))
		e.succeed("umount", e.path("ipaper"))
		p.wait()
		require.NoError(t, os.RemoveAll(data))
		require.NoError(t, os.Rename(data+".ours", data))
		p = e.mount()
		require.NotContains(t, p.stderr.String(), "other data")
		require.Equal(t, "a\nx.part\n", e.must("ls media; ls .paperfs/failed"))
	}
}

// TestAStateDirectoryThatWasMovedAside puts a copy of the state directory in its place under a mount. What was queued in the one
// that was moved is said to have been there, and not to belong to other data.
func TestAStateDirectoryThatWasMovedAside(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	p := e.mount("--write-back")
	e.succeed("admin", "--data", e.path(ownData), "readonly", "on")
	e.must("echo queued > media/a")
	account := filepath.Dir(e.stateDatabase())
	e.must("cp -a " + account + " ../copy; mv " + account + " " + account + "-old; mv ../copy " + account)
	_, err := e.sh("echo later > media/b")
	require.Error(t, err)
	e.run("umount", e.path("ipaper"))
	p.wait()
	p = e.mount("--write-back")
	for _, said := range []string{p.stderr.String(), e.succeed("why", e.path("ipaper", ".paperfs", "failed", "a"))} {
		require.Contains(t, said, account+"-old")
		require.NotContains(t, said, "other data")
		require.NotContains(t, said, "service's data")
	}
}

// queuePDF writes, without a mount, the state that a killed mount leaves of a PDF queued for a
// paper.
func (e *environment) queuePDF(paper, path string) {
	e.t.Helper()
	const ino = 9001
	content := pdftest.Text("ours")
	spool := filepath.Join(filepath.Dir(e.stateDatabase()), "spool", "9001")
	require.NoError(e.t, os.WriteFile(spool, content, 0o600))
	db := testrun.Must(sql.Open("sqlite", e.stateDatabase()))(e.t)
	defer db.Close()
	_, err := db.Exec("INSERT INTO media_draft (ino, paper, path, spool, dir, written, again, isnew, making, size) VALUES (?, ?, ?, 9001, 0, 1, 0, 0, 0, ?)", ino, paper, path, len(content))
	require.NoError(e.t, err)
}

// TestDataThatIsRemovedOrReplacedUnderAMount checks that a change is refused in words while the data is away or another
// directory is in its place, since its records would go with the file, and that all works once the data is back.
func TestDataThatIsRemovedOrReplacedUnderAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir papers/A; echo x > media/x; echo y > ../y")
	data := e.path(".local", "share", "paperfs")
	refused := func() {
		t.Helper()
		for _, change := range []string{"mkdir papers/B", "rmdir papers/A", "cp ../y media/y", "mv media/x media/z", "rm media/x"} {
			_, err := e.sh(change)
			require.Error(t, err, change)
		}
		require.Contains(t, e.must("cat .paperfs/errors"), "database is damaged or missing")
		require.Equal(t, "media/x\npapers/A\n", e.must("ls -d papers/? media/?"))
	}
	require.NoError(t, os.Rename(data, data+".moved"))
	refused()
	e.must("cp -a " + data + ".moved " + data)
	refused()
	require.NoError(t, os.RemoveAll(data))
	require.NoError(t, os.Rename(data+".moved", data))
	e.must("mkdir papers/B; echo y > media/y; rmdir papers/A; rm media/x")
	require.NoError(t, os.RemoveAll(data))
	for _, change := range []string{"mkdir papers/C", "cp ../y media/z"} {
		_, err := e.sh(change)
		require.Error(t, err, change)
	}
	require.NoDirExists(t, data)
}
