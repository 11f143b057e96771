package media_test

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
)

// TestAConflictIsPublishedBeside checks that with CopyBeside a close succeeds whose file a colleague has
// uploaded in the meantime: both versions are at the service.
func TestAConflictIsPublishedBeside(t *testing.T) {
	t.Parallel()
	copying := func(o *media.Options) { o.CopyBeside = true }
	for mode, options := range modes {
		for _, name := range []string{"Prices.txt", strings.Repeat("\u00e4", 125) + ".txt", "Makefile"} {
			t.Run(mode+", "+name[:4], func(t *testing.T) {
				t.Parallel()
				m := newMount(t, append([]func(*media.Options){looking, copying}, options...)...)
				m.sh(`printf old > ` + name)
				m.drained()
				goOn := m.paused(`perl -e 'open F, ">", "` + name + `" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; syswrite F, ", and more"; close F or die $!'`)
				m.theirs(name, "theirs")
				require.NoError(t, m.store.Refresh(t.Context()))
				said, err := goOn()
				require.NoError(t, err, said)
				m.drained()
				beside := ""
				for path, digest := range m.atService() {
					if path != name {
						require.Equal(t, sum("mine, and more"), digest)
						beside = path
					}
				}
				require.Contains(t, beside, time.Now().Format(" (conflict 2006-01-02)"))
				require.Equal(t, path.Ext(name), path.Ext(beside))
				require.LessOrEqual(t, len(beside), 255)
				require.Len(t, m.atService(), 2)
				require.Equal(t, "theirs mine, and more", m.sh(`cat `+name+`; printf ' '; cat '`+beside+`'`))
				require.Empty(t, m.store.Failed())
				last, told := m.failures.Last("media/" + name)
				require.True(t, told)
				require.Contains(t, last.Message, beside)
			})
		}
	}
}
