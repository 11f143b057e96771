package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestMappingAPDF checks that a source.pdf that is open for writing cannot be mapped shared, that
// written content stays, and that readers can map sent content.
func TestMappingAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.put("new.pdf", pdfOf(t, 1, 9000))
	m.sh(`mkdir papers/A.paper`)
	require.Equal(t, "ENODEV", m.sh(`cd papers/A.paper; python3 -c '
import errno, mmap, os
f = os.open("source.pdf", os.O_RDWR)
os.write(f, open(os.environ["HOME"] + "/new.pdf", "rb").read())
try:
    mmap.mmap(f, 4096)
except OSError as e:
    print(errno.errorcode[e.errno])
os.close(f)'`))
	m.eventually(`cmp papers/A.paper/source.pdf "$HOME/new.pdf"`) // until the kernel has released it
	require.Equal(t, "%PDF", m.sh(`python3 -c '
import mmap
with open("papers/A.paper/source.pdf", "rb") as f:
    print(mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ)[:4].decode())'`))
}
