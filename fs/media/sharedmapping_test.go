package media_test

import (
	"testing"

	"paperfs/remote/testrun"
)

// besideMappings is besideReaders for a writer with os.O_RDWR, which also writes through a shared mapping.
const besideMappings = `exec python3 -c '
import mmap, os, random, sys, threading, time
end, most = time.time() + float(sys.argv[1]), 1 << 20
content = bytearray(most)
w = os.open("media/f", os.O_RDWR | os.O_CREAT, 0o644)
os.ftruncate(w, most)
mw = mmap.mmap(w, most); own = os.dup(w)
old = os.open("media/f", os.O_RDONLY)
m = mmap.mmap(old, most, prot=mmap.PROT_READ)
failed = []
def reader(how):
    try:
        while time.time() < end:
            at = random.randrange(most)
            if how == "mmap": m[at & ~4095]
            elif how == "stat": os.stat("media/f"); os.fstat(old)
            elif how == "pread": os.pread(old, 65536, at)
            elif how == "dio": os.pread(own, 65536, at)
            else:
                f = os.open("media/f", os.O_RDONLY); os.pread(f, 131072, at); os.close(f)
    except BaseException as e: failed.append((how, e))
threads = [threading.Thread(target=reader, args=(how,)) for how in ("mmap", "stat", "pread", "dio", "open", "open")]
for t in threads: t.start()
checks = 0
while time.time() < end and not failed:
    what, at, size = random.random(), random.randrange(most - 70000), random.choice([1, 100, 4096, 65536])
    data = os.urandom(size)
    if what < .4: how = "pwrite"; assert os.pwrite(w, data, at) == size
    elif what < .8: how = "mapping"; mw[at:at + size] = data
    elif what < .85: how = "mapping, synced"; mw[at:at + size] = data; mw.flush()
    elif what < .9: how = "mapping, then pwrite of its page"; mw[at:at + size] = data; assert os.pwrite(w, b"x", at) == 1; data = b"x" + data[1:]
    elif what < .95: how = "truncated"; os.ftruncate(w, most - 100); os.ftruncate(w, most); at, size, data = most - 100, 100, bytes(100)
    else: how = "reopened"; os.close(w); w = os.open("media/f", os.O_RDWR); data = content[at:at + size]
    content[at:at + size] = data
    f = os.open("media/f", os.O_RDONLY)
    for by, got in ("old", os.pread(old, size, at)), ("mapped", m[at:at + size]), ("own mapping", mw[at:at + size]), ("own", os.pread(w, size, at)), ("new", os.pread(f, size, at)):
        assert got == data, ("stale", how, by, at, size, checks)
    os.close(f); checks += 1
for t in threads: t.join()
assert not failed, failed
os.close(w)
print(checks)' `

// TestSharedMappingsBesideAWriter checks that a program that reads and writes through descriptors and
// shared mappings, among readers, finds its last write everywhere.
func TestSharedMappingsBesideAWriter(t *testing.T) {
	seconds, asked := raceSeconds()
	if !asked {
		testrun.Long(t, "writes through shared mappings for some seconds")
	}
	raceInBothModes(t, besideMappings, seconds)
}
