package mounttest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
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
	files := testrun.Must(filepath.Glob(pattern))(m.t)
	require.Len(m.t, files, 1)
	f := testrun.Must(os.OpenFile(files[0], os.O_WRONLY, 0))(m.t)
	defer f.Close()
	testrun.Must(f.WriteAt([]byte("damage"), 5000))(m.t)
}
