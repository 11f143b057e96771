package media_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote/testrun"
)

// TestAnFsyncOfADirectoryReachesTheDisk checks that fsync of a directory syncs the names in it: if
// the disk of the state fails, the program is told.
func TestAnFsyncOfADirectoryReachesTheDisk(t *testing.T) {
	testrun.Program(t, "python3")
	t.Parallel()
	broken := new(atomic.Bool)
	m := newMount(t, func(o *media.Options) { o.State = brittle{o.State, broken} })
	t.Cleanup(func() { // before the mount stops, whose last sync fails
		m.unmount()
		require.ErrorContains(t, m.store.Close(), "nothing is changed or sent any more")
		m.store = nil
		require.NoError(t, m.state.Close())
	})
	m.sh(`mkdir .scratch`) // names that stay on this machine are nowhere else
	fsync := func(dir, name string) string {
		return m.sh(`touch ` + dir + `/` + name + `; exec python3 -c '
import os
try: os.fsync(os.open("` + dir + `", os.O_RDONLY)); print(0)
except OSError as e: print(e.errno)'`)
	}
	require.Equal(t, "0", fsync(".", ".one"))
	require.Equal(t, "0", fsync(".scratch", "one"))
	broken.Store(true)
	require.Equal(t, "5", fsync(".scratch", "two"))
}
