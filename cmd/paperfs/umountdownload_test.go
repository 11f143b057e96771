package main

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"
)

// TestAnUnmountDuringADownload has a program read a file of the embedded service more slowly than it
// comes. umount says that it waits for such programs, and ends when they have.
func TestAnUnmountDuringADownload(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	require.NoError(t, os.WriteFile(e.path("ipaper/media/large"), make([]byte, 64<<20), 0o600)) // more than a connection holds
	answer := testrun.Must(http.Get(strings.TrimSpace(e.succeed("url", e.path("ipaper/media/large")))))(t)
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)

	umount := e.start("umount", e.path("ipaper"))
	umount.says("programs that ask its service, such as a download, ")
	require.NoError(t, answer.Body.Close())
	require.Equal(t, cli.ExitOK, umount.wait(), umount.stderr)
	require.Equal(t, cli.ExitOK, p.wait(), p.stderr)
}
