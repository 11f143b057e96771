package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/doctor"
	"paperfs/remote/service/kit/pdftest"
)

// TestDataThatIsRemoved removes the data between two mounts. Published content must not disappear
// as if a colleague had deleted it, but move to failed/, from where it can be sent to the new data.
func TestDataThatIsRemoved(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	require.NoError(t, os.WriteFile(e.path("one.pdf"), pdftest.Text("one"), 0o600))
	p := e.mount("--write-back")
	e.must(`mkdir -p media/logos papers/C; echo one > media/logos/a.svg; chmod 640 media/logos/a.svg; echo local > media/x.part
		cp ../one.pdf papers/C/X.pdf`)
	e.succeed("wait", e.path("ipaper"))
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	require.NoError(t, os.RemoveAll(e.path(".local", "share", "paperfs")))

	p = e.mount()
	require.Contains(t, p.stderr.String(), "has different data than at the last mount: the old data was removed or replaced. What this machine kept of it is in .paperfs/failed (files: 2); not kept: 0.")
	require.Equal(t, "X.pdf\na.svg\n", e.must("ls .paperfs/failed"))
	require.Equal(t, "one\n640\n", e.must("cat .paperfs/failed/a.svg; stat -c %a .paperfs/failed/a.svg"))
	e.must("cmp .paperfs/failed/X.pdf ../one.pdf")
	require.Contains(t, e.succeed("status", e.path("ipaper")), "media/logos/a.svg, now .paperfs/failed/a.svg: it was published, but the service's data in ")
	require.Equal(t, "x.part\n", e.must("ls media"))
	require.Empty(t, strings.TrimSpace(e.must("ls papers")))
	require.Contains(t, e.must("cat .paperfs/errors"), "has different data than at the last mount")

	e.must("mkdir media/logos papers/C; mv .paperfs/failed/a.svg media/logos/; mv .paperfs/failed/X.pdf papers/C/")
	require.Equal(t, "one\n", e.must("cat media/logos/a.svg"))
	e.must("cmp papers/C/X.pdf ../one.pdf")
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	p = e.mount()
	require.NotContains(t, p.stderr.String(), "different data")
	require.Equal(t, "one\n", e.must("cat media/logos/a.svg; ls .paperfs/failed"))
}

// TestPDFsBeforeTheLastOfLostData checks that earlier PDFs are kept too: the last one may be
// damaged.
func TestPDFsBeforeTheLastOfLostData(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	require.NoError(t, os.WriteFile(e.path("good.pdf"), pdftest.Text("good"), 0o600))
	require.NoError(t, os.WriteFile(e.path("damaged.pdf"), []byte("%PDF-1.7\ndamaged"), 0o600))
	p := e.mount()
	e.must("mkdir papers/C; cp ../good.pdf papers/C/X.pdf")
	e.succeed("wait", e.path("ipaper", "papers", "C", "X.paper"))
	e.must("cp ../damaged.pdf papers/C/X.pdf") // no program checks this PDF's job
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	require.NoError(t, os.RemoveAll(e.path(".local", "share", "paperfs")))
	e.mount()
	require.Equal(t, "X (1).pdf\nX.pdf\n", e.must("LC_ALL=C ls .paperfs/failed"))
	e.must("cmp '.paperfs/failed/X (1).pdf' ../good.pdf; cmp .paperfs/failed/X.pdf ../damaged.pdf")
}

// TestQueuedPDFsOfDataThatWasReplaced checks that queued PDFs are not sent to papers with the same
// ids in the new data.
func TestQueuedPDFsOfDataThatWasReplaced(t *testing.T) {
	t.Parallel()
	id := map[string]string{}
	other := newEnvironment(t)
	for _, e := range []*environment{other, newEnvironment(t)} {
		paper := map[bool]string{true: "Theirs", false: "Ours"}[e == other]
		p := e.mount("--write-back")
		e.must("mkdir papers/C papers/C/" + paper + ".paper")
		id[paper] = strings.TrimSpace(e.must("cat papers/C/" + paper + ".paper/id"))
		e.succeed("umount", e.path("ipaper"))
		p.wait()
		if e == other {
			continue
		}
		require.Equal(t, id["Theirs"], id["Ours"], "new data has the same ids")
		e.queuePDF(id["Ours"], "/papers/C/Ours.paper/source.pdf")
		data := e.path(".local", "share", "paperfs")
		require.NoError(t, os.RemoveAll(data))
		require.NoError(t, os.Rename(other.path(".local", "share", "paperfs"), data))

		e.mount("--write-back")
		e.run("wait", e.path("ipaper")) // exits with an error because of failed/
		require.Empty(t, e.must("cat papers/C/Theirs.paper/job"))
		require.Equal(t, "source.pdf\n", e.must("ls .paperfs/failed"))
		require.Contains(t, e.succeed("status", e.path("ipaper")), "was removed or replaced before it was sent")
		e.must("mkdir papers/C/Ours.paper; mv .paperfs/failed/source.pdf papers/C/Ours.paper/")
	}
}

// queuePDF writes, without a mount, the state that a killed mount leaves of a PDF queued for a
// paper.
func (e *environment) queuePDF(paper, path string) {
	e.t.Helper()
	const ino = 9001
	content := pdftest.Text("ours")
	spool := filepath.Join(filepath.Dir(e.stateDatabase()), "spool", fmt.Sprintf("%d-1", ino))
	require.NoError(e.t, os.WriteFile(spool, content, 0o600))
	db, err := sql.Open("sqlite", e.stateDatabase())
	require.NoError(e.t, err)
	defer db.Close()
	_, err = db.Exec("INSERT INTO media_draft (ino, paper, path, spool, dir, written, again, isnew, making, size) VALUES (?, ?, ?, 1, 0, 1, 0, 0, 0, ?)", ino, paper, path, len(content))
	require.NoError(e.t, err)
}

// TestDoctorNamesDataThatIsRemovedUnderAMount checks that the directory is a failure while it is missing
// or empty, and fine once it is back.
func TestDoctorNamesDataThatIsRemovedUnderAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	data := e.path(".local", "share", "paperfs")
	look := func() doctor.Finding { return e.doctor(e.path("ipaper"))("data directory")[0] }
	require.NotEqual(t, doctor.Failure, look().Level)
	require.NoError(t, os.Rename(data, data+".moved"))
	require.Contains(t, look().Says, data+" was removed or emptied while a mount uses it")
	require.NoError(t, os.Mkdir(data, 0o700))
	require.Equal(t, doctor.Failure, look().Level)
	require.NoError(t, os.Remove(data))
	require.NoError(t, os.Rename(data+".moved", data))
	require.NotEqual(t, doctor.Failure, look().Level)
	e.must("mkdir papers/kept && echo x > media/kept && cat media/kept")
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
