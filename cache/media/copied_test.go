package media

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
	spools, err := filepath.Glob(filepath.Join(f.store.Spools.Path, "*"))
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
