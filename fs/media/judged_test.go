package media_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestWhereVersionsAreComparedAChangeIsOneRequest checks that removals and moves cost one request each where the service
// compares versions, and that what a colleague has changed unseen stays, as where the mount looks at the tree.
func TestWhereVersionsAreComparedAChangeIsOneRequest(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			clock, passes := later()
			m := newMount(t, append(options, checkEachName, clock)...)
			m.sh(`mkdir d e; for f in a b c d/f; do echo $f > $f; done`)
			m.drained()
			for _, again := range []bool{false, true} {
				require.Equal(t, ops("MoveFile"), m.cost(`mv a x`))
				require.Equal(t, ops("MoveFile"), m.cost(`mv x a`))
				require.Equal(t, ops("MoveDirectory"), m.cost(`mv d e/d`))
				require.Equal(t, ops("MoveDirectory"), m.cost(`mv e/d d`))
				if !again {
					m.remount()
					require.NoError(t, m.store.Refresh(t.Context())) // rows do not have versions
				}
			}
			ids := m.ids()
			m.colleagueUploads("a", "newer\n")
			_, err := m.client.MoveFile(t.Context(), ids["c"], ids["d/"], "c", remote.NoFile)
			require.NoError(t, err)
			require.NoError(t, m.client.MoveDirectory(t.Context(), ids["e/"], ids["d/"], "e", false))
			require.Contains(t, m.fails(`rm a`), "Device or resource busy")
			require.Contains(t, m.fails(`mv b b2; mv c b`), "No such file or directory")
			require.NoError(t, m.store.Refresh(t.Context()))
			m.checkShownAll()
			passes(5 * time.Second)
			m.colleagueUploads("a", "newest\n")
			require.Contains(t, m.fails(`mv a y`), "Device or resource busy")
			m.checkShownAll()
			passes(5 * time.Second)
			require.Equal(t, ops("DeleteFile"), m.cost(`rm a`))
			require.Equal(t, ops("DeleteDirectory"), m.cost(`rmdir d/e`))
			_, err = m.client.CreateDirectory(t.Context(), ids["d/"], "theirs")
			require.NoError(t, err)
			require.Contains(t, m.fails(`rm d/f d/c; rmdir d`), "Directory not empty")
			m.checkShownAll()
			require.Empty(t, m.store.Failed())
		})
	}
}
