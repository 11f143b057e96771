package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestAClearedCacheLosesNoPDF removes the cache of a mount with nothing configured, while it is mounted and between
// mounts: the service in it still has the PDF of each paper.
func TestAClearedCacheLosesNoPDF(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	require.NoError(t, os.WriteFile(e.path("one.pdf"), pdftest.Text("one", "two"), 0o600))
	mounted := e.mount()
	e.must("cp ../one.pdf papers/One.pdf")
	e.succeed("wait", e.path("ipaper/papers/One.paper"))
	require.NoError(t, os.RemoveAll(e.path(".cache")))
	e.must("cmp papers/One.paper/source.pdf ../one.pdf")
	e.succeed("umount", e.path("ipaper"))
	mounted.wait()
	require.NotContains(t, mounted.stderr.String(), "cannot be saved")
	require.NoError(t, os.RemoveAll(e.path(".cache")))
	e.mount()
	e.must("cmp papers/One.paper/source.pdf ../one.pdf; cp -r papers/One.paper ../copied; cmp ../copied/source.pdf ../one.pdf")
}
