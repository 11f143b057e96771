package media_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/caller"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// mapped is the start of a Python script that has published a, has it mapped, and has closed its
// descriptor. The user adds the closing quote.
const mapped = `python3 -c '
import mmap, os, signal, subprocess, sys
f = os.open("a", os.O_RDWR | os.O_CREAT)
os.write(f, b"." * 8192)
m = mmap.mmap(f, 8192)
os.close(f)
for n in map(int, os.listdir("/proc/self/fd")): # python keeps a duplicate
    try:
        if os.readlink("/proc/self/fd/%d" % n).endswith("/a"): os.close(n)
    except OSError: pass
`

// TestWritersByMapping checks that changes through a mapping after the program's last close are
// published if the program ends by itself, and move to failed/ if it is killed.
func TestWritersByMapping(t *testing.T) {
	t.Parallel()
	changed := "half" + dots(8188)
	for name, c := range map[string]struct {
		script string
		whole  bool
	}{
		"unmapped":       {`m[0:4] = b"half"; m.close()'`, true},
		"exits":          {`m[0:4] = b"half"'`, true},
		"exits, synced":  {`m[0:4] = b"half"; m.flush()'`, true},
		"fails":          {`m[0:4] = b"half"; os._exit(9)'; true`, true},
		"execs":          {`m[0:4] = b"half"; os.execlp("true", "true")'`, true},
		"killed":         {`m[0:4] = b"half"; os.kill(os.getpid(), signal.SIGKILL)'; true`, false},
		"terminated":     {`m[0:4] = b"half"; os.kill(os.getpid(), signal.SIGTERM)'; true`, false},
		"killed, synced": {`m[0:4] = b"half"; m.flush(); os.kill(os.getpid(), signal.SIGKILL)'; true`, false},
		"aborts":         {`m[0:4] = b"half"; os.abort()'; true`, false},
		"a child, killed": {`
if os.fork() == 0: m[0:4] = b"half"; m.flush(); os.kill(os.getpid(), signal.SIGKILL)
os.wait(); os.kill(os.getpid(), signal.SIGKILL)'; true`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if slices.Contains([]string{"exits, synced", "terminated", "killed, synced", "aborts"}, name) {
				testrun.Long(t, "ends in another way")
			}
			t.Parallel()
			if (name == "exits, synced" || name == "execs") && !exitStatusIsKept(t) {
				t.Skip("the kernel does not keep exit statuses, so the mount may miss this one")
			}
			m := newMount(t)
			m.sh(mapped + c.script)
			m.settled()
			if c.whole {
				m.eventually(func() bool { return m.atService()["a"] == sum(changed) })
				require.Empty(t, m.store.Failed())
				return
			}
			m.eventually(func() bool { return len(m.store.Failed()) == 1 })
			require.Equal(t, map[string]string{"a": sum(dots(8192))}, m.atService(), "the content that the close published")
			require.Len(t, m.store.Failed(), 1)
			require.Equal(t, changed, m.content("a"))
			last, ok := m.failures.Last("media/a")
			require.True(t, ok)
			require.Contains(t, last.Message, "killed")
			require.Equal(t, dots(8192), m.sh(`cat a`))
		})
	}
}

// exitStatusIsKept reports whether the kernel keeps the exit status of a reaped process.
func exitStatusIsKept(t *testing.T) bool {
	cat := programtest.Command(t, testrun.Patience(), "cat")
	in, err := cat.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cat.Start())
	p := caller.Watch(uint32(cat.Process.Pid))
	require.NoError(t, in.Close())
	require.NoError(t, cat.Wait())
	if p == nil {
		return false
	}
	defer p.Close()
	return p.Fate() == caller.EndedWell
}
