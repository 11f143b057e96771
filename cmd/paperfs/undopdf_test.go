package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestAPDFThatUndoBringsBackCanBeRead has a PDF replaced, and brought back, in a mount with nothing configured: source.pdf is
// what the service in it made the pages from, also in the next mount, and once its paper was removed and is back.
func TestAPDFThatUndoBringsBackCanBeRead(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	require.NoError(t, os.WriteFile(e.path("one.pdf"), pdftest.Text("one", "two"), 0o600))
	require.NoError(t, os.WriteFile(e.path("two.pdf"), pdftest.Text("three"), 0o600))
	mounted := e.mount()
	for _, pdf := range []string{"one.pdf", "two.pdf"} {
		e.must("cp ../" + pdf + " papers/A.pdf")
		e.succeed("wait", e.path("ipaper/papers/A.paper"))
	}
	for range 2 {
		e.must("cmp papers/A.paper/source.pdf ../two.pdf")
		e.succeed("undo", e.path("ipaper/papers/A.pdf"))
		e.succeed("wait", e.path("ipaper/papers/A.paper"))
		e.must("cmp papers/A.paper/source.pdf ../one.pdf && test $(stat -c %s papers/A.paper/source.pdf) = $(stat -c %s ../one.pdf)")
		e.must("cp ../two.pdf papers/A.paper/source.pdf")
		e.succeed("wait", e.path("ipaper/papers/A.paper"))
	}
	e.succeed("undo", e.path("ipaper/papers/A.pdf"))
	e.succeed("wait", e.path("ipaper/papers/A.paper"))
	e.succeed("umount", e.path("ipaper"))
	mounted.wait()
	e.mount()
	e.must("cmp papers/A.paper/source.pdf ../one.pdf; rmdir papers/A.paper; ! test -e papers/A.paper")
	e.succeed("undo", e.path("ipaper/papers/A.paper"))
	e.must("cmp papers/A.paper/source.pdf ../one.pdf; rmdir papers/A.paper")
	e.succeed("undo", e.path("ipaper"), e.entry("paper", "A"))
	e.must("cmp papers/A.paper/source.pdf ../one.pdf")
}

// TestWhatIsRemovedUnderAProgramComesBackWhole removes papers and a category that programs have open: what comes back
// is whole, though the kernel still has the directories that were removed.
func TestWhatIsRemovedUnderAProgramComesBackWhole(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir -p papers/A/B && mkdir papers/A/B/P.paper papers/A/Q.paper && echo old > papers/A/B/P.paper/settings/description")
	for _, again := range []string{"New", "Newer"} {
		e.must("mkdir papers/A/" + again)
		everything := e.must("find papers/A")
		for _, used := range []string{"A/B/P.paper/settings/description", "A/Q.paper"} {
			f := testrun.Must(os.Open(e.path("ipaper", "papers", used)))(t)
			defer f.Close()
		}
		e.must("cd papers/A && rmdir B/P.paper B Q.paper New* ../A")
		require.Contains(t, e.succeed("undo", e.path("ipaper", "papers", "A")), "now /papers/A with the address /a/\n")
		require.Equal(t, everything, e.must("find papers/A"))
		require.Equal(t, "old\n/a/q/\n", e.must("cd papers/A && cat B/P.paper/settings/description Q.paper/url"))
	}
}
