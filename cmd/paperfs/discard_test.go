package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

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
