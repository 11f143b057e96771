package media_test

import (
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

// killing kills a program that truncates a file, as an open with O_TRUNC does, while the kernel
// waits for the answer.
type killing struct {
	fuse.RawFileSystem
	t *testing.T
}

func (k killing) SetAttr(cancel <-chan struct{}, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	if _, empties := in.GetSize(); empties {
		require.NoError(k.t, syscall.Kill(int(in.Pid), syscall.SIGKILL))
		<-cancel
	}
	return k.RawFileSystem.SetAttr(cancel, in, out)
}

// TestAProgramKilledInAnOpenThatEmpties checks that the file stays unchanged: the program never
// gets the descriptor.
func TestAProgramKilledInAnOpenThatEmpties(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo old > a`)
	m.stop()
	m.under = func(raw fuse.RawFileSystem) fuse.RawFileSystem { return killing{raw, t} }
	m.start()
	require.NoError(t, m.store.Refresh(t.Context())) // the first open for writing would do it
	for range 10 {
		m.proxy.Reset()
		m.fails(`exec python3 -c 'open("a", "wb")'`)
		m.settled()
		m.idle()
		require.Zero(t, m.proxy.Count(nil))
		require.Equal(t, "old", m.sh(`cat a`))
		require.Equal(t, map[string]string{"a": sum("old\n")}, m.atService())
	}
}
