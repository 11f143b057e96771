package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// forks is a program that has written half of a and forks in an endless loop. Its many mappings make
// each fork slow, so a kill most likely comes during a fork.
const forks = `exec python3 -c '
import ctypes, mmap, os
page, pages = mmap.PAGESIZE, 20000
at = mmap.mmap(-1, page * pages)
start = ctypes.addressof(ctypes.c_char.from_buffer(at))
libc = ctypes.CDLL(None)
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
for i in range(0, pages, 2): libc.mprotect(start + i * page, page, mmap.PROT_READ)
f = open("a", "wb", 0)
f.write(b"half")
parent = os.getppid()
while os.getppid() == parent:
    if os.fork() == 0: os._exit(0)
    os.wait()
' 2> /dev/null`

// TestAGroupThatIsKilled checks that a process group that is killed during a fork publishes nothing,
// although the kernel closes the descriptors of the unborn child in the parent's name.
func TestAGroupThatIsKilled(t *testing.T) {
	t.Parallel()
	for kind, before := range map[string]string{"new": `ls`, "over a file": `echo old > a`} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(before)
			m.idle()
			m.proxy.Reset()
			groups := 5
			if !testrun.All() {
				groups = 2
			}
			for range groups {
				m.sh(`set -m; ` + forks + ` & ` + half + `kill -KILL -- -$!; wait $!; true`)
				m.eventually(func() bool { return len(m.store.Failed()) == 1 || m.proxy.Count(remote.UploadFile) > 0 })
				m.settled()
				require.Zero(t, m.proxy.Count(remote.UploadFile), "nothing is sent")
				entry := m.store.Failed()[0]
				require.Equal(t, "half", m.content(entry.Name))
				require.Contains(t, entry.Reason, "was killed before it had written the whole file")
				require.NoError(t, m.store.DiscardFailed(entry.Name))
			}
		})
	}
}
