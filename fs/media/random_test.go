package media_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomIO writes, truncates, maps, reads and reopens a file at random and
// compares it with a string of bytes after each step. It prints the SHA-256 of
// what the file holds at the end.
const randomIO = `
import hashlib, mmap, os, random, sys
path, seed = sys.argv[1], int(sys.argv[2])
r = random.Random(seed)
want = bytearray()
f = os.open(path, os.O_RDWR | os.O_CREAT)
for step in range(150):
    size = len(want)
    what = r.choice(["write", "write", "append", "truncate", "map", "read", "reopen", "dup", "fsync", "path"])
    at, n = r.randrange(0, 70000), r.randrange(1, 9000)
    data = r.randbytes(n)
    if what == "write":
        os.pwrite(f, data, at)
        want[size:at] = bytes(max(0, at - size))
        want[at:at + n] = data
    elif what == "append":
        g = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.write(g, data)
        os.close(g)
        want += data
    elif what == "truncate":
        os.ftruncate(f, at)
        want = want[:at] + bytes(max(0, at - size))
    elif what == "path":
        os.truncate(path, at)
        want = want[:at] + bytes(max(0, at - size))
    elif what == "map" and size > 0:
        with mmap.mmap(f, size) as m:
            begin = r.randrange(size)
            end = min(size, begin + n)
            m[begin:end] = data[:end - begin]
            want[begin:end] = data[:end - begin]
    elif what == "reopen":
        os.close(f)
        f = os.open(path, os.O_RDWR)
    elif what == "dup":
        os.close(os.dup(f))
    elif what == "fsync":
        os.fsync(f)
    got = os.pread(f, 1 << 20, 0)
    assert got == want, (step, what, len(got), len(want))
    assert os.fstat(f).st_size == os.stat(path).st_size == len(want), (step, what)
os.ftruncate(f, len(want) + 1)
want += b"\0"
os.close(f)
print(hashlib.sha256(want).hexdigest())
`

func TestRandomIO(t *testing.T) {
	for _, path := range []string{"published", ".scratch"} {
		t.Run(path, func(t *testing.T) {
			m := newMount(t)
			seed := strconv.Itoa(rand.IntN(1 << 30))
			t.Log("seed", seed)
			m.sh(`cat > ../random.py <<'END'` + randomIO + `END`)
			digest := m.sh(`python3 ../random.py ` + path + ` ` + seed)
			require.Contains(t, m.sh(`sha256sum `+path), digest)
			if path == "published" {
				require.Equal(t, map[string]string{path: digest}, m.atService())
			} else {
				require.Empty(t, m.atService())
			}
			m.remount()
			require.Contains(t, m.sh(`sha256sum `+path), digest)
		})
	}
}
