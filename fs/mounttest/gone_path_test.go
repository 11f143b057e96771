package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/testrun"
)

// TestFailuresOfWhatWasRemoved checks that a failure of a removed file has the path by which the
// file was opened, from the mount's root.
func TestFailuresOfWhatWasRemoved(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t, "--allow-delete")
	m.drops(t)
	m.sh(`mkdir papers/C/X.paper media/d`)
	m.sh(`exec 3> papers/C/X.paper/publication; rmdir papers/C/X.paper; ! echo 2027 >&3`)
	assert.Contains(t, m.sh(`cat .paperfs/errors`), " write papers/C/X.paper/publication ")
	tooLong := func(path, remove, told string) {
		m.sh(`python3 -c '
import os, subprocess
f = os.open("` + path + `", os.O_RDWR | os.O_CREAT)
os.write(f, b"x")
subprocess.run(["bash", "-ec", "` + remove + `"], check=True)
try:
    os.ftruncate(f, 1 << 60)
    raise SystemExit("no failure")
except OSError as e:
    print(e)'`)
		assert.Contains(t, m.sh(`cat .paperfs/errors`), " "+told+" ", path)
	}
	tooLong("media/d/x.part", "rm media/d/x.part", "media/d/x.part")
	tooLong("media/d/y.part", "mv media/d/y.part media/d/z.part; echo > media/d/o.part; mv media/d/o.part media/d/z.part", "media/d/z.part")
	tooLong("papers/C/x.part", "rm papers/C/x.part", "papers/C/x.part")
	tooLong("papers/D/Y.pdf", "rm papers/D/Y.pdf", "papers/D/Y.pdf")
	tooLong("papers/D/Z.pdf", "cp $HOME/one.pdf papers/D/z.part; mv papers/D/z.part papers/D/Z.pdf", "papers/D/Z.pdf")
}
