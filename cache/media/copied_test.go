package media

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
)

// queuedCopy leaves a closed store with small queued content, and returns the path of its spool.
func (f *fixture) queuedCopy(content string) string {
	f.absent(Root, "a")
	f.service.goAway(unreachable)
	f.options.Debounce = time.Hour
	f.reopen()
	_, err := f.create(Root, "a", content)
	require.NoError(f.t, err)
	f.close()
	spools, err := filepath.Glob(filepath.Join(f.store.spools.Path, "*"))
	require.NoError(f.t, err)
	require.Len(f.t, spools, 1)
	f.service.goAway(nil)
	f.options.Debounce = -1
	return spools[0]
}

// TestASpoolOfZerosIsNotSent checks that small queued content comes from its copy if its spool has
// the right length and other bytes: the disk lost power, and the machine did not.
func TestASpoolOfZerosIsNotSent(t *testing.T) {
	const content = "some content"
	for name, left := range map[string]string{
		"zeros": strings.Repeat("\x00", len(content)), "zeros at the end": "some" + strings.Repeat("\x00", len(content)-4),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			spool := f.queuedCopy(content)
			require.NoError(t, os.WriteFile(spool, []byte(left), 0o600))
			f.open()
			read, err := f.read(f.lookup(Root, "a").Ino)
			require.NoError(t, err)
			require.Equal(t, content, read)
			f.drain()
			f.published("a", content)
			require.Empty(t, f.store.Failed())
		})
	}
}

// withoutLength makes the row and the spool of the only queued file those of an earlier version.
func (f *fixture) withoutLength(spool string) {
	st, err := state.Open(f.dirs, f.dirs.State)
	require.NoError(f.t, err)
	defer st.Close()
	var block []byte
	require.NoError(f.t, st.DB().QueryRow("SELECT inodes FROM media_block ORDER BY number DESC").Scan(&block))
	old := regexp.MustCompile(`\x00[0-9]+:6\x00`).ReplaceAll(block, []byte("\x000\x00"))
	require.NotEqual(f.t, block, old)
	ino := f.store.root.Children["a"].Ino
	require.NoError(f.t, os.Rename(spool, filepath.Join(filepath.Dir(spool), fmt.Sprintf("%d-%s", ino, filepath.Base(spool)))))
	_, err = st.DB().Exec("UPDATE media_block SET inodes = ? WHERE number = (SELECT max(number) FROM media_block)", old)
	require.NoError(f.t, err)
}

// TestCopiesOfAnEarlierVersion checks a row without the length of the queued content: its spool is
// sent as it is, and restored only after a reboot.
func TestCopiesOfAnEarlierVersion(t *testing.T) {
	for name, rebooted := range map[string]bool{"same boot": false, "another boot": true} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			spool := f.queuedCopy("copied")
			require.NoError(t, os.WriteFile(spool, []byte("in the spool"), 0o600))
			f.withoutLength(spool)
			want := "in the spool"
			if rebooted {
				f.inState(t, "UPDATE value SET value = 'another' WHERE key = ?", bootKey)
				want = "copied"
			}
			f.open()
			f.drain()
			f.published("a", want)
		})
	}
}
