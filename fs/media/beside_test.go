package media_test

import (
	"maps"
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
	for mode, options := range modesOf(t) {
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

// TestAConflictOfAFileThatWasOpenIsPublishedBeside is TestAConflictIsPublishedBeside for programs that
// opened the file before the colleague's version came, and write afterwards.
func TestAConflictOfAFileThatWasOpenIsPublishedBeside(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		for name, c := range map[string]struct{ opened, then, want string }{
			"appends": {`os.O_WRONLY | os.O_APPEND`, `os.write(f, b" and mine"); os.close(f)`, "old and mine"},
			"changes": {`os.O_RDWR`, `os.pwrite(f, b"m", 0); os.close(os.dup(f)); os.pwrite(f, b"a", 1); os.close(f)`, "mad"},
			"maps":    {`os.O_RDWR`, `m = mmap.mmap(f, 3); os.close(f); m[0:1] = b"m"; m.close()`, "mld"},
			"empties": {`os.O_WRONLY`, `os.ftruncate(f, 0); os.write(f, b"mine"); os.close(f)`, "mine"},
		} {
			t.Run(mode+", "+name, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, append([]func(*media.Options){func(o *media.Options) { o.CopyBeside = true }}, options...)...)
				m.sh(`printf old > f.txt`)
				m.drained()
				goOn := m.paused(`exec python3 -c '
import mmap, os
f = os.open("f.txt", ` + c.opened + `)
print("ready", flush=True); input()
` + c.then + `'`)
				m.theirs("f.txt", "theirs")
				require.NoError(t, m.store.Refresh(t.Context()))
				m.eventually(func() bool { return m.sh(`cat f.txt`) == "theirs" })
				said, err := goOn()
				require.NoError(t, err, said)
				m.settled()
				m.drained()
				beside := time.Now().Format("f (conflict 2006-01-02).txt")
				m.eventually(func() bool {
					return maps.Equal(map[string]string{"f.txt": sum("theirs"), beside: sum(c.want)}, m.atService())
				})
				require.Equal(t, c.want, m.sh(`cat '`+beside+`'`))
				require.Empty(t, m.store.Failed())
			})
		}
	}
}
