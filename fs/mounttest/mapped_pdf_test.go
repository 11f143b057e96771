package mounttest

import (
	"testing"

	"paperfs/remote/testrun"
)

// TestMappingAPDF checks that a program can write a source.pdf through a mapping, and that what it wrote is sent once.
func TestMappingAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.drops(t)
	m.sh(`mkdir papers/A.paper; cd papers/A.paper; python3 -c '
import mmap, os
new = open(os.environ["HOME"] + "/two.pdf", "rb").read()
f = os.open("source.pdf", os.O_RDWR)
os.ftruncate(f, len(new))
with mmap.mmap(f, len(new)) as m:
    m[:] = new
os.close(f)'`)
	m.sh(`"$PAPERFS" wait .; "$PAPERFS" wait papers/A.paper; cmp "$HOME/two.pdf" papers/A.paper/source.pdf; test -d papers/A.paper/pages/002; test -z "$(ls .paperfs/failed)"`)
}
