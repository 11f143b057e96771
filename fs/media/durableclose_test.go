package media_test

import (
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/media"
	"paperfs/remote/testrun"
)

// brittle is a state whose syncs fail while it is broken.
type brittle struct {
	journal.State
	broken *atomic.Bool
}

func (b brittle) Sync() error {
	if b.broken.Load() {
		return syscall.EIO
	}
	return b.State.Sync()
}

// TestNoCloseOfWhatIsNotDurableSucceeds checks that, with --write-back, every close of a file fails
// if the disk of the state does, also the second one of a descriptor that was duplicated.
func TestNoCloseOfWhatIsNotDurableSucceeds(t *testing.T) {
	testrun.Program(t, "python3")
	for name, write := range map[string]string{
		"a duplicate": `other = os.dup(f); os.write(f, b"some")`,
		"a mapping":   `os.ftruncate(f, 4); other = os.dup(f); m = mmap.mmap(f, 4); m[:] = b"some"; m.close()`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := new(atomic.Bool)
			m := newMount(t, func(o *media.Options) {
				o.WriteBack, o.State = true, brittle{o.State, broken}
			})
			t.Cleanup(func() { // before the mount stops, whose last sync fails
				m.unmount()
				require.ErrorContains(t, m.store.Close(), "nothing is changed or sent any more")
				m.store = nil
				require.NoError(t, m.state.Close())
			})
			m.sh(`ls`)
			broken.Store(true)
			require.Equal(t, "5 5 5", m.sh(`exec python3 -c '
import mmap, os
f = os.open("a", os.O_RDWR | os.O_CREAT)
`+write+`
last = os.dup(f)
def close(f):
    try: os.close(f)
    except OSError as e: return e.errno
    return 0
print(close(f), close(other), close(last))'`))
		})
	}
}
