package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/kit/pdftest"
)

// TestAWaitNamesWhatDidNotArrive checks that the exit code shows that files were not published, and
// that the message names them.
func TestAWaitNamesWhatDidNotArrive(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	dir := e.path("ipaper")
	e.must("ls media")
	e.succeed("wait", dir)
	e.admin("readonly", "on")
	_, err := e.sh("mkdir media/d")
	require.Error(t, err)
	e.succeed("wait", dir) // wait names only what is refused while it waits

	_, err = e.sh(`echo logo > ../logo.svg; cp ../logo.svg "media/$(printf 'x\342\200\256y')"`)
	require.Error(t, err)
	e.fail(cli.ExitUnpublished, `/media/x\u202ey, now .paperfs/failed/x\u202ey: `, "wait", dir)
	e.fail(cli.ExitUnpublished, "READONLY", "umount", "--wait", dir)
	e.fail(cli.ExitNotMounted, "no paperfs", "umount", dir)
}

// TestAWaitForNothing checks that a wait for a missing path fails: users may type NAME for the paper
// NAME.paper.
func TestAWaitForNothing(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	e.must("mkdir -p papers/C/Spring.paper media/logos; echo logo > media/logos/a.svg")
	for _, missing := range []string{"papers/C/Spring", "papers/Nope", "media/logos/none.svg", "media/logos/a.svg/none"} {
		e.fail(cli.ExitFailure, "no such file or directory", "wait", e.path("ipaper", missing))
	}
	e.succeed("wait", e.path("ipaper", "papers", "C"))
	e.succeed("wait", e.path("ipaper", "media", "logos"))
	e.succeed("wait", e.path("ipaper", ".paperfs", "failed"))
}

// TestAWaitNamesWhatTheServiceStillProcesses checks the message for the time when all files are on
// the service, but not the pages of the PDFs.
func TestAWaitNamesWhatTheServiceStillProcesses(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	e.mount()
	require.NoError(t, os.WriteFile(e.path("one.pdf"), pdftest.Text("one"), 0o600))
	e.must("mkdir papers/C; cp ../one.pdf papers/C/X.pdf")
	dir := e.path("ipaper")
	code, _, stderr := e.run("wait", dir)
	require.Equal(t, cli.ExitOK, code)
	require.Equal(t, "All files are on the service, which may still be processing 1 PDF. To wait for the pages, run: paperfs wait "+
		e.path("ipaper", "papers", "C", "X.paper")+"\n", stderr)
	e.succeed("wait", e.path("ipaper", "papers", "C", "X.paper"))
	_, _, stderr = e.run("wait", dir)
	require.Empty(t, stderr)
}

// TestWaitingForACategoryWaitsForItsPages checks that the wait for a category ends with the pages of the PDFs in it, and
// fails as the wait for a paper does, with its name.
func TestWaitingForACategoryWaitsForItsPages(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	e.mount()
	require.NoError(t, os.WriteFile(e.path("one.pdf"), pdftest.Text("one"), 0o600))
	e.must("mkdir -p papers/C/D papers/Bad; cp ../one.pdf papers/C/X.pdf; cp ../one.pdf papers/C/D/Y.pdf; (cat ../one.pdf | head -c 200) > papers/Bad/Z.pdf")
	e.succeed("wait", e.path("ipaper", "papers", "C"))
	e.must("test -e papers/C/X.paper/pages/001 && test -e papers/C/D/Y.paper/pages/001")
	for range 2 { // also where the job ended before the wait
		code, _, stderr := e.run("wait", e.path("ipaper", "papers"))
		require.Equal(t, cli.ExitJobFailed, code)
		require.Contains(t, stderr, e.path("ipaper", "papers", "Bad", "Z.paper")+": Failed: the PDF could not be processed")
	}
}

// TestCommandsInAMountForReading checks that the commands that change nothing work where the kernel lets nobody write, and that
// the others say why they do not.
func TestCommandsInAMountForReading(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must("mkdir -p media/d papers/A.paper; echo one > media/d/f; echo two > media/d/f; echo three > media/d/g")
	e.succeed("umount", e.path("ipaper"))
	require.Equal(t, cli.ExitOK, p.wait())
	e.mount("--read-only")
	file, kept := e.path("ipaper", "media", "d", "f"), e.entry("file", "f")
	require.Contains(t, e.succeed("stat", file), "state:    published\n")
	require.Regexp(t, `^http://.*/a/\n$`, e.succeed("url", e.path("ipaper", "papers", "A.paper")))
	e.fail(cli.ExitFailure, "is for reading, and the service keeps each preview link that it makes: run this command in a mount without --read-only", "url", "--preview", "5", e.path("ipaper", "papers", "A.paper"))
	require.Empty(t, e.succeed("refresh", e.path("ipaper")))
	e.fail(cli.ExitFailure, "papers/None: no such file", "refresh", e.path("ipaper", "papers", "None"))
	require.Equal(t, "one\n", e.succeed("undo", "--to", "-", e.path("ipaper"), kept))
	for _, command := range [][]string{{"undo", file}, {"undo", e.path("ipaper"), kept}, {"undo", "--purge", e.path("ipaper"), kept}} {
		e.fail(cli.ExitFailure, "read-only file system (`paperfs why ", command...)
	}
	require.Contains(t, e.succeed("why", file), "this mount is for reading: it brings nothing back, and removes nothing")
	e.fail(cli.ExitFailure, "is for reading: it sends nothing, and keeps what is queued", "retry", e.path("ipaper"))
	require.Len(t, e.entries(""), 1)
	require.Equal(t, "two\n", e.must("cat media/d/f"))
}
