package media_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cache/media"
)

// onSmallDisk returns a mount whose state is on a small disk. fill fills the disk, and free frees it
// again.
func onSmallDisk(t *testing.T, options ...func(*media.Options)) (m *mount, fill, free func()) {
	disk := smallDisk(t)
	m = newMount(t, options...)
	m.stop()
	state := filepath.Join(m.home, "state")
	require.NoError(t, os.RemoveAll(state))
	require.NoError(t, os.Symlink(disk, state))
	m.start()
	filler := filepath.Join(disk, "filler")
	fill = func() {
		f, err := os.Create(filler)
		require.NoError(t, err)
		defer f.Close()
		for block := make([]byte, 4096); err == nil; {
			_, err = f.Write(block)
		}
		require.ErrorIs(t, err, unix.ENOSPC)
	}
	return m, fill, func() { require.NoError(t, os.Remove(filler)) }
}

// TestAnEmptyFileOutlastsAFullDisk checks that, if the state's disk is completely full, an empty
// file stays queued until there is space.
func TestAnEmptyFileOutlastsAFullDisk(t *testing.T) {
	t.Parallel()
	m, fill, free := onSmallDisk(t)
	m.sh(`echo before > before`)
	m.settled()
	fill()
	m.sh(`for i in $(seq 200); do : > empty$i; done`) // uses up the spare space of the database's log
	m.eventually(func() bool {
		queue := m.store.Queue()
		return len(queue) > 0 && m.store.Status().Waits != nil
	})
	require.ErrorIs(t, m.store.Status().Waits, unix.ENOSPC)
	require.False(t, m.store.Idle())
	require.Equal(t, "201", m.sh(`ls | wc -l`))
	free()
	m.store.RetryNow()
	m.drained()
	require.Len(t, m.atService(), 201)
	require.Empty(t, m.store.Failed())
	m.remount()
	require.Equal(t, "201", m.sh(`ls | wc -l`))
}

// TestFailedIsLetGoOnAFullDisk checks that a discard of failed content works on a full disk, and
// frees its space.
func TestFailedIsLetGoOnAFullDisk(t *testing.T) {
	t.Parallel()
	m, fill, free := onSmallDisk(t)
	m.refuse()
	m.fails(`head -c 1000000 /dev/zero > large`)
	m.eventually(func() bool { return len(m.store.Failed()) == 1 })
	fill()
	require.NoError(t, m.store.DiscardFailed("large"))
	m.sh(`echo x > .scratch`)
	free()
	m.remount()
	require.Empty(t, m.store.Failed())
	require.False(t, errors.Is(m.store.Sync(), unix.ENOSPC))
}
