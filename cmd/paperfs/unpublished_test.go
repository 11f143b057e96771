package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
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

// TestADiscardThatFailsSaysWhy checks that the message has the local error, and that queued
// content, or content in failed/, stays.
func TestADiscardThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	service, env := e.serving()
	for name, value := range env {
		e.set(name, value)
	}
	e.mount("--write-back")
	e.must("ls media")
	service.signal(syscall.SIGTERM)
	service.wait()
	e.must("echo one > media/one; echo two > media/two")
	e.succeed("discard", e.path("ipaper", "media", "one"))
	entry := e.path("ipaper", ".paperfs", "failed", "one")
	kept := e.kept("failed/*")
	require.NoError(t, os.Remove(kept))
	require.NoError(t, os.MkdirAll(filepath.Join(kept, "inside"), 0o700))
	for _, path := range []string{entry, e.path("ipaper", "media", "one")} {
		e.fail(cli.ExitFailure, "directory not empty (`paperfs why "+entry+"` says more)", "discard", path)
	}
	require.Contains(t, e.succeed("why", entry), "unlink /.paperfs/failed/one failed with ENOTEMPTY: remove "+kept)

	e.succeed("discard", e.path("ipaper", "media", "two"))
	require.Equal(t, "two\n", e.must("cat .paperfs/failed/two"))
	e.fail(cli.ExitFailure, "nothing is queued under this name", "discard", e.path("ipaper", "media", "three"))
}

// TestADiscardOfNothingSaysSo checks that discard and retry report a missing entry, and that
// discard of failed/ itself asks for the name of an entry.
func TestADiscardOfNothingSaysSo(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	failed := e.path("ipaper", ".paperfs", "failed")
	for _, command := range []string{"discard", "retry"} {
		e.fail(cli.ExitFailure, filepath.Join(failed, "none")+": no such file or directory\n", command, filepath.Join(failed, "none"))
	}
	e.fail(cli.ExitFailure, failed+": name one of the files in it. To delete them all, run: rm -r -- "+failed+"/*", "discard", failed)
}

// kept returns the only file in the state that matches a pattern.
func (e *environment) kept(pattern string) string {
	e.t.Helper()
	found := testrun.Must(filepath.Glob(e.path(".local", "state", "paperfs", "*", pattern)))(e.t)
	require.Len(e.t, found, 1)
	return found[0]
}

// TestARetryThatFailsSaysWhy checks that retry names the command that prints the service's message.
func TestARetryThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir papers/X.paper; echo nonsense > papers/X.paper/source.pdf || :")
	entry := e.path("ipaper", ".paperfs", "failed", "source.pdf")
	e.fail(cli.ExitFailure, "source.pdf was not sent again: invalid argument (`paperfs why "+entry+"` says more)\n", "retry", entry)
	e.fail(cli.ExitFailure, "source.pdf was not sent again: invalid argument (`paperfs why "+entry+"` says more)\n", "retry", filepath.Dir(entry))
	require.Contains(t, e.succeed("why", entry), "The file is not a PDF")
}

// TestAPaperStandsForItsPDF checks that retry and discard take a paper for its refused PDF, and that their refusals of a
// directory name what was refused in it.
func TestAPaperStandsForItsPDF(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir papers/C papers/C/X.paper; echo no > papers/C/X.paper/source.pdf || :; echo no > papers/C/Y.pdf || :; ls .paperfs/failed")
	y := e.path("ipaper", ".paperfs", "failed", "Y.pdf")
	e.fail(cli.ExitFailure, "source.pdf was not sent again: invalid argument", "retry", e.path("ipaper", "papers", "C", "X.paper"))
	for _, command := range []string{"discard", "retry"} {
		e.fail(cli.ExitFailure, "there is no unpublished content, except of files in it, such as "+y, command, e.path("ipaper", "papers", "C"))
	}
	e.succeed("discard", e.path("ipaper", "papers", "C", "X.paper"))
	e.succeed("discard", e.path("ipaper", "papers", "C", "Y.paper"))
	require.Empty(t, e.must("ls .paperfs/failed"))
}
