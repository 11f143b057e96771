package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

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
