package media_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote/testrun"
)

// TestNoRoomForAMapping checks that a program that changes a file through a mapping learns that there
// was no room, if it still can; that the old content stays; and that the next program, which has
// done nothing wrong, replaces the file.
func TestNoRoomForAMapping(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"synced": `m[0:4] = b"half"; full(m.flush)`,
		"closed": `m[0:4] = b"half"; full(os.close, f)`,
		"killed": `os.close(f); os.close(f + 1); m[0:4] = b"half"; os.kill(os.getpid(), signal.SIGKILL)`, // python has a duplicate
		"exits":  `os.close(f); os.close(f + 1); m[0:4] = b"half"; os._exit(0)`,
	} {
		for mode, options := range map[string][]func(*media.Options){"direct": nil, "write-back": {writeBack}} {
			for _, next := range []string{`cp "$HOME/new" a`, `cat a | cmp - "$HOME/a"`} {
				if !testrun.OneWay(name+next, mode == "direct") {
					continue
				}
				t.Run(name+", "+mode+", "+next, func(t *testing.T) {
					t.Parallel()
					m := newMount(t, append(options, func(o *media.Options) { o.Quota = 1000 })...)
					m.sh(`printf %0800d 0 | tee a > "$HOME/a"; echo new > "$HOME/new"`)
					m.eventually(func() bool { return m.store.Status().SpoolBytes == 0 })
					m.sh(`printf %0900d 0 > .b.tmp`)
					want := m.atService()
					m.sh(`python3 -c '
import errno, mmap, os, signal
def full(call, *args):
    try: call(*args)
    except OSError as e: assert e.errno == errno.ENOSPC, e
    else: raise AssertionError("there was room")
f = os.open("a", os.O_RDWR)
m = mmap.mmap(f, 800)
` + script + `' || test $? = 137; rm .b.tmp; ` + next)
					if strings.HasPrefix(next, "cat") {
						require.Equal(t, want, m.atService())
						m.sh(`echo new > a`)
					}
					m.sh(`test "$(cat a)" = new`)
					m.settled()
					m.eventually(func() bool { return m.atService()["a"] == sum("new\n") })
					require.Empty(t, m.store.Failed())
				})
			}
		}
	}
}
