package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestModesOfFallocate checks what the modes of fallocate(2) answer for a PDF, a file of media/, and one with a temporary
// name, and that no directory has O_TMPFILE. A refusal changes nothing, nor what the kernel asks for other files.
func TestModesOfFallocate(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.put("new.pdf", pdfOf(t, 1, 9000))
	m.sh(`mkdir papers/A.paper`)
	require.Equal(t, strings.Repeat("keep size: 9000\ngrow: 20000\nall refused\n", 3)+"no O_TMPFILE", m.sh(`python3 -c '
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
pdf = open(os.environ["HOME"] + "/new.pdf", "rb").read()
def allocate(f, mode, size):
    if libc.fallocate(f, mode, ctypes.c_long(1000), ctypes.c_long(size - 1000)):
        raise OSError(ctypes.get_errno(), "fallocate")
def refused(call, *args):
    try:
        call(*args)
    except OSError as e:
        assert e.errno == errno.EOPNOTSUPP, (args, e)
        return
    raise AssertionError(args)
keep, punch, collapse, zero, insert, unshare = 1, 2, 8, 16, 32, 64
never = keep | punch, collapse, zero, zero | keep, insert, unshare
for name in "papers/A.paper/source.pdf", "media/f", "media/.f":
    f = os.open(name, os.O_RDWR | os.O_CREAT)
    os.write(f, pdf)
    allocate(f, keep, 20000)
    print("keep size:", os.fstat(f).st_size)
    allocate(f, 0, 20000)
    print("grow:", os.fstat(f).st_size)
    os.ftruncate(f, 9000)
    for mode in never:
        refused(allocate, f, mode, 5096)
    assert os.pread(f, 9999, 0) == pdf
    print("all refused")
    os.close(f)
for dir in "media", "papers", "papers/A.paper", ".":
    refused(os.open, dir, os.O_TMPFILE | os.O_RDWR)
print("no O_TMPFILE")'`))
	m.eventually(`cmp media/f "$HOME/new.pdf"`)
}
