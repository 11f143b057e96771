package mounttest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDamagedQueuedContentIsNotPublished checks queued content whose bytes changed, but not its
// length: it goes to failed/ with the reason, and nothing of it reaches the service.
func TestDamagedQueuedContentIsNotPublished(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100 << 10, 3 << 20} { // smaller content is also in the database
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			m := newMount(t, "--write-back")
			m.sh(`ls media`)
			m.proxy.Down()
			m.sh(fmt.Sprintf(`head -c %d /dev/urandom > media/a`, size))
			m.crash() // a mount that has read it once may send what it has read
			m.damage(filepath.Join(m.spool(), "*"))
			m.proxy.Up()
			m.start("--write-back")
			m.sh(`"$PAPERFS" retry . || :; "$PAPERFS" wait . || :`) // wait fails only if the upload fails after it began
			assert.Empty(t, m.atService())
			m.sh(`test -e .paperfs/failed/a && ! test -e media/a`)
			assert.Contains(t, m.sh(`"$PAPERFS" why media/a`), "not what was written")
		})
	}
}

// damage changes bytes in the middle of the only file of this pattern.
func (m *mounted) damage(pattern string) {
	m.t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(m.t, err)
	require.Len(m.t, files, 1)
	f, err := os.OpenFile(files[0], os.O_WRONLY, 0)
	require.NoError(m.t, err)
	defer f.Close()
	_, err = f.WriteAt([]byte("damage"), 5000)
	require.NoError(m.t, err)
}
