package media_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

// heldReplies holds the replies to READs and WRITEs for up to 3 ms, so that they overtake each other.
type heldReplies struct{ fuse.RawFileSystem }

func hold() { time.Sleep(time.Duration(rand.IntN(3_000)) * time.Microsecond) }

func (h heldReplies) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	found, status := h.RawFileSystem.Read(cancel, in, buf)
	hold()
	return found, status
}

func (h heldReplies) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	hold()
	defer hold()
	return h.RawFileSystem.Write(cancel, in, data)
}

// besideReaders is a program that writes f through a descriptor opened with os.O_WRONLY: it overwrites,
// extends and truncates, and closes now and then. Threads read f in their own ways. After each call it
// compares what it has changed through an old descriptor, an old mapping and a new open.
const besideReaders = `exec python3 -c '
import mmap, os, random, sys, threading, time
end, most = time.time() + float(sys.argv[1]), 1 << 20
content = bytearray(os.urandom(300000))
def write(at, data):
    global w
    assert os.pwrite(w, data, at) == len(data)
    if at > len(content): content.extend(bytes(at - len(content)))
    content[at:at + len(data)] = data
w = os.open("media/f", os.O_WRONLY | os.O_CREAT, 0o644)
write(0, bytes(content))
old = os.open("media/f", os.O_RDONLY)
os.ftruncate(w, most)
m = mmap.mmap(old, most, prot=mmap.PROT_READ)
content.extend(bytes(most - len(content)))
failed = []
def reader(how):
    try:
        while time.time() < end:
            at = random.randrange(most)
            if how == "mmap": m[at & ~4095]
            elif how == "stat": os.stat("media/f"); os.fstat(old)
            elif how == "pread": os.pread(old, 65536, at)
            else:
                f = os.open("media/f", os.O_RDONLY); os.pread(f, 131072, at); os.close(f)
    except BaseException as e: failed.append((how, e))
threads = [threading.Thread(target=reader, args=(how,)) for how in ("mmap", "stat", "pread", "open", "open")]
for t in threads: t.start()
checks = 0
while time.time() < end and not failed:
    what, at, size = random.random(), random.randrange(most - 70000), random.choice([1, 100, 4096, 65536])
    if what < .9: write(at, os.urandom(size))
    elif what < .95: # shorter by less than a page, and longer again: the mapping stays valid
        os.ftruncate(w, most - 100); os.ftruncate(w, most); content[most - 100:] = bytes(100); at, size = most - 100, 100
    else: os.close(w); w = os.open("media/f", os.O_WRONLY)
    want = bytes(content[at:at + size])
    f = os.open("media/f", os.O_RDONLY)
    for how, got in ("old", os.pread(old, size, at)), ("mapped", m[at:at + size]), ("new", os.pread(f, size, at)):
        assert got == want, ("stale", how, at, size, checks)
    assert os.fstat(f).st_size == os.fstat(old).st_size == len(content)
    os.close(f); checks += 1
for t in threads: t.join()
assert not failed, failed
os.close(w)
print(checks)' `

// TestKeptPagesBesideAWriter checks that the pages that the kernel keeps are never older than the last
// write of a program that has the file open for writing alone.
func TestKeptPagesBesideAWriter(t *testing.T) {
	seconds, _ := raceSeconds()
	raceInBothModes(t, besideReaders, seconds)
}

// raceSeconds returns how long programs race: 3 seconds, or PAPERFS_TEST_SECONDS if it was asked for.
func raceSeconds() (seconds int, asked bool) {
	seconds, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_SECONDS"))
	if err != nil {
		return 3, false
	}
	return seconds, true
}

// raceInBothModes runs a script, whose last word is its seconds, while replies to READs and WRITEs
// overtake each other.
func raceInBothModes(t *testing.T, script string, seconds int) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, options...)
			m.stop()
			m.under = func(raw fuse.RawFileSystem) fuse.RawFileSystem { return heldReplies{raw} }
			m.start()
			out, err := m.commandWithin(time.Duration(seconds)*time.Second+time.Minute, script+strconv.Itoa(seconds)).CombinedOutput()
			require.NoError(t, err, "%s", out)
			t.Logf("%s checks", out)
		})
	}
}

// countReads counts READs.
type countReads struct {
	fuse.RawFileSystem
	reads atomic.Int32
}

// during returns how many READs do causes. A kernel that is short of memory drops pages whenever it
// likes, so who expects none looks again.
func (c *countReads) during(do func()) int32 {
	before := c.reads.Load()
	do()
	return c.reads.Load() - before
}

func (c *countReads) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	c.reads.Add(1)
	return c.RawFileSystem.Read(cancel, in, buf)
}

// TestASecondReadAsksForNothing checks that a program that reads a file again gets it from the kernel,
// however often it opens it, and that a colleague's version is read once.
func TestASecondReadAsksForNothing(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, options...)
			m.stop()
			count := &countReads{}
			m.under = func(raw fuse.RawFileSystem) fuse.RawFileSystem { count.RawFileSystem = raw; return count }
			m.start()
			m.colleaguePuts("theirs")
			m.eventually(func() bool { return m.sh(`cat f`) == "theirs" })
			for _, content := range []string{"theirs", "ours", "newer"} {
				switch content {
				case "ours":
					m.sh(`printf ours > f`)
					m.idle()
				case "newer":
					m.colleaguePuts(content)
				}
				m.eventually(func() bool { return m.sh(`cat f`) == content })
				m.eventually(func() bool {
					return count.during(func() {
						require.Empty(t, m.cost(`for i in 1 2 3; do test "$(cat f)" = `+content+` && cmp f <(printf `+content+`) && stat f; done`))
					}) == 0
				})
			}
		})
	}
}
