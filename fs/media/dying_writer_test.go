package media_test

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

// heldOpens holds OPENs with O_NONBLOCK until let is closed. A program that is killed meanwhile does not
// end before.
type heldOpens struct {
	fuse.RawFileSystem
	came, let chan struct{}
}

func (h heldOpens) Open(cancel <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	if in.Flags&syscall.O_NONBLOCK != 0 {
		close(h.came)
		<-h.let
	}
	return h.RawFileSystem.Open(cancel, in, out)
}

// TestATorsoWhoseWriterIsNotDeadYet checks that a close between the kill of another writer and its end
// publishes nothing of what that had written.
func TestATorsoWhoseWriterIsNotDeadYet(t *testing.T) {
	t.Parallel()
	const half = `perl -e 'use Fcntl; open P, ">", "pid" or die; print P $$; close P; $| = 1; print "half"; sysopen G, "media/g", O_RDONLY | O_NONBLOCK' `
	for mode, options := range modesOf(t) {
		for name, script := range map[string]string{"the opener": `exec > media/f; exec ` + half, "a child": `{ ` + half + `; test $? -ge 128; } > media/f`} {
			t.Run(mode+", "+name, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.sh(`printf whole > f; printf other > g`)
				m.drained()
				m.stop()
				held := heldOpens{came: make(chan struct{}), let: make(chan struct{})}
				m.under = func(raw fuse.RawFileSystem) fuse.RawFileSystem { held.RawFileSystem = raw; return held }
				m.start()
				letGo := sync.OnceFunc(func() { close(held.let) })
				t.Cleanup(letGo)
				writer := m.command(script)
				require.NoError(t, writer.Start())
				<-held.came
				pid, err := os.ReadFile(filepath.Join(m.home, "pid"))
				require.NoError(t, err)
				killed, err := strconv.Atoi(string(pid))
				require.NoError(t, err)
				require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
				require.Contains(t, m.fails(`dd if=<(printf more) of=f oflag=append conv=notrunc status=none`), "Input/output error")
				last, _ := m.failures.Last("media/f")
				require.Contains(t, last.Message, "perl was killed")
				letGo()
				_ = writer.Wait()
				m.settled()
				require.Equal(t, "whole", m.sh(`cat f`))
				require.Equal(t, map[string]string{"f": sum("whole"), "g": sum("other")}, m.atService())
				m.eventually(func() bool { return len(m.store.Failed()) == 1 })
				require.Equal(t, "halfmore", m.content("f"))
			})
		}
	}
}
