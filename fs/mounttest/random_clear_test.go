package mounttest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestARoundOfRandomGesturesLeavesNothingInFailed checks that what a killed mount left in failed/, which
// has no line in errors, is gone before the next round, also if its name begins with a dot.
func TestARoundOfRandomGesturesLeavesNothingInFailed(t *testing.T) {
	t.Parallel()
	g := newGestures(t, 1, nil)
	g.sh(`head -c 20000 /dev/zero > media/.1c.tmp; head -c 20000 /dev/zero > media/1c.tmp
		sync media/.1c.tmp media/1c.tmp`) // too much for copies in the database; their rows are written
	g.crash()
	require.NoError(t, filepath.WalkDir(filepath.Join(g.home, "state"), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(filepath.Dir(path)) == "spool" {
			err = os.Truncate(path, 1)
		}
		return err
	}))
	g.start(g.flags...)
	require.Equal(t, ".1c.tmp\n1c.tmp", g.sh(`ls -A .paperfs/failed`))
	g.told(0, time.Now(), true)
	g.clear()
	g.told(1, time.Now(), false)
}
