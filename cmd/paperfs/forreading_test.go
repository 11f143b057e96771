package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
)

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
