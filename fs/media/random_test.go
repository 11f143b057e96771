package media_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

var fsxDuration = flag.Duration("fsx.duration", time.Second, "how long TestRandomIO works on each kind of file")

// randomIO works like fsx: it writes, truncates, maps, copies, reads and reopens a file at random,
// through two descriptors, and compares the file with a byte string after each step. After each close
// of both descriptors it prints the SHA-256 of the expected content, and waits for a line of input, if any.
const randomIO = `
import hashlib, mmap, os, random, sys
path, seed, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
checked = len(sys.argv) > 4
r = random.Random(seed)
longest = 150000
want = bytearray()

def place():
    at = r.randrange(longest)
    return at if r.random() < 0.6 else at & ~4095

def put(at, data):
    want[len(want):at] = bytes(max(0, at - len(want)))
    want[at:at + len(data)] = data

def resize(size):
    del want[size:]
    want.extend(bytes(size - len(want)))

def write(f):
    at, data = place(), r.randbytes(r.randrange(1, 30000))
    if r.random() < 0.2:
        os.pwritev(f, [data[:99], data[99:]], at)
    else:
        os.pwrite(f, data, at)
    put(at, data)

def append(f):
    data = r.randbytes(r.randrange(1, 9000))
    g = os.open(path, os.O_WRONLY | os.O_APPEND)
    os.write(g, data)
    os.close(g)
    put(len(want), data)

def truncate(f):
    size = place()
    os.ftruncate(f, size)
    resize(size)

def truncate_by_path(f):
    size = place()
    os.truncate(path, size)
    resize(size)

def open_truncated(f):
    os.close(os.open(path, os.O_WRONLY | os.O_TRUNC))
    resize(0)

def allocate(f):
    at, n = place(), r.randrange(1, 30000)
    os.posix_fallocate(f, at, n)
    resize(max(len(want), at + n))

def write_mapped(f):
    if not want:
        return
    with mmap.mmap(f, len(want)) as m:
        at = r.randrange(len(want))
        data = r.randbytes(min(len(want) - at, r.randrange(1, 30000)))
        m[at:at + len(data)] = data
        if r.random() < 0.5:
            m.flush()
    put(at, data)

def read_mapped(f):
    if want:
        with mmap.mmap(f, len(want), prot=mmap.PROT_READ) as m:
            assert m[:] == want

def copy(f):
    if not want:
        return
    source, n = r.randrange(len(want)), r.randrange(1, 30000)
    at = place()
    data = bytes(want[source:source + n])
    if source < at + n and at < source + n:
        return
    n = os.copy_file_range(f, f, len(data), source, at)
    put(at, data[:n])

def read(f):
    at, n = place(), r.randrange(1, 30000)
    assert os.pread(f, n, at) == want[at:at + n]

def dup(f):
    os.close(os.dup(f))

ops = [write] * 4 + [append, truncate, truncate_by_path, open_truncated, allocate, copy, read, dup, os.fsync] + [write_mapped, read_mapped] * 2
f = os.open(path, os.O_RDWR | os.O_CREAT)
g = os.open(path, os.O_RDWR)
for step in range(steps):
    op = r.choice(ops)
    try:
        op(r.choice([f, g]))
        got = os.pread(f, 1 << 20, 0)
        assert got == want, (len(got), len(want))
        assert os.fstat(g).st_size == os.stat(path).st_size == len(want)
    except Exception as e:
        sys.exit("step %d, %s: %r" % (step, op.__name__, e))
    if step == steps - 1 or r.random() < 0.1:
        os.close(f)
        os.close(g)
        print(hashlib.sha256(want).hexdigest(), flush=True)
        if checked and not sys.stdin.readline():
            break
        f = os.open(path, os.O_RDWR)
        g = os.open(path, os.O_RDWR)
`

// TestRandomIO compares the service's content with what the program wrote after each close, and remounts
// now and then.
func TestRandomIO(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"published", ".scratch"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			seed := rand.IntN(1 << 30)
			t.Log("seed", seed)
			script := filepath.Join(m.home, "randomio.py")
			require.NoError(t, os.WriteFile(script, []byte(randomIO), 0o600))
			fsx := m.commandWithin(*fsxDuration+testrun.Patience(), fmt.Sprintf("exec python3 randomio.py media/%s %d 1000000000 checked 2>&1", name, seed))
			out, err := fsx.StdoutPipe()
			require.NoError(t, err)
			next, err := fsx.StdinPipe()
			require.NoError(t, err)
			require.NoError(t, fsx.Start())
			lines := bufio.NewScanner(out)
			began, closes := time.Now(), 0
			for lines.Scan() {
				digest := lines.Text()
				require.Len(t, digest, 64, digest)
				want := map[string]string{}
				if name == "published" {
					want[name] = digest
				}
				require.Equal(t, want, m.atService())
				closes++
				if closes%20 == 0 {
					m.remount()
					require.Contains(t, m.sh(`sha256sum `+name), digest)
				}
				if time.Since(began) >= *fsxDuration {
					break
				}
				_, err := io.WriteString(next, "\n")
				require.NoError(t, err)
			}
			require.NoError(t, next.Close())
			require.NoError(t, fsx.Wait())
			require.NotZero(t, closes)
			t.Log(closes, "closes")
		})
	}
}

// randomChanges runs some steps of randomIO on a file and returns the SHA-256 of its content.
func (m *mount) randomChanges(name string, seed int) string {
	m.t.Helper()
	require.NoError(m.t, os.WriteFile(filepath.Join(m.home, "randomio.py"), []byte(randomIO), 0o600))
	closes := strings.Fields(m.sh(`python3 ../randomio.py ` + name + ` ` + strconv.Itoa(seed) + ` 150`))
	return closes[len(closes)-1]
}
