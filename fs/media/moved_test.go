package media_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestProgramsOfAFileThatMoves moves a file that programs have open, and of which only the beginning is here.
// Its old address gives nothing afterwards, but the programs have all of it: who reads, and who begins to change a
// part through a mapping while the content is fetched for the new name.
func TestProgramsOfAFileThatMoves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ early, meanwhile, late string }{
		"reading": {`pass`, `pass`, `assert b"".join(os.pread(f, 1 << 20, i << 20) for i in range(8)) == was`},
		"mapped": {`m = mmap.mmap(f, 0); m[4 << 20]`, `m[4 << 20] = 7; os.sync()`,
			`assert os.pread(f, len(was), 0) == was[:4 << 20] + bytes([7]) + was[(4 << 20) + 1:]; m.close(); os.close(f)`},
	} {
		for _, to := range []string{"g", ".g"} {
			if !testrun.OneWay(name, to == ".g") {
				continue
			}
			t.Run(name+", "+to, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, deleting, withoutMoves)
				s, content := m.largeFile(8 << 20)
				m.outside("f", content)
				goOn := m.paused(`exec python3 -c '
import mmap, os, sys
was = open("../f", "rb").read()
f = os.open("f", os.O_RDWR)
os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
assert os.pread(f, 1000, 0) == was[:1000]
` + c.early + `
print("ready", flush=True); sys.stdin.readline()
` + c.meanwhile + `
open("../meanwhile", "w").close()
while not os.path.exists("../moved"): pass
` + c.late + `'`)
				first, others, asked := make(chan struct{}), make(chan struct{}), atomic.Int64{}
				s.set(func(s *contentServer) {
					s.pause = func(r *http.Request) {
						var from, to int64
						if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); err != nil || from > 0 && to-from >= 128<<10 {
							if asked.Add(1) == 1 {
								<-first
							} else {
								<-others
							}
						}
					}
				})
				move := m.command(`cd media && mv f ` + to)
				require.NoError(t, move.Start())
				m.eventually(func() bool { return asked.Load() > 0 })
				done := make(chan error, 1)
				go func() {
					out, err := goOn()
					if err != nil {
						err = fmt.Errorf("%w: %s", err, out)
					}
					done <- err
				}()
				m.eventually(func() bool { found, _ := filepath.Glob(filepath.Join(m.home, "meanwhile")); return len(found) > 0 })
				close(first)
				require.NoError(t, move.Wait())
				s.set(func(s *contentServer) { s.content, s.tag = []byte("gone"), `"gone"` })
				close(others)
				m.outside("moved", nil)
				require.NoError(t, <-done)
				require.Empty(t, m.store.Failed())
				require.Empty(t, m.failures.Events())
			})
		}
	}
}

// TestReadersOfAFileThatIsReplacedInTheQueue moves a new file over one that a program reads, and of which only the
// beginning is here. The new one waits in the queue: meanwhile all of the old one comes, without a wait of mv.
func TestReadersOfAFileThatIsReplacedInTheQueue(t *testing.T) {
	t.Parallel()
	m := newMount(t, writeBack)
	s, content := m.largeFile(8 << 20)
	m.outside("f", content)
	goOn := m.paused(`exec 3< f; head -c 1000 <&3 > ../got; echo ready; read -r line; cat <&3 >> ../got; cmp ../f ../got`)
	var comes atomic.Bool
	s.set(func(s *contentServer) {
		s.odd = func(*contentServer, http.ResponseWriter, *http.Request) { comes.Store(true) }
	})
	m.sh(`printf new > .h; mv .h f; cat f | grep -qx new`)
	m.eventually(comes.Load)
	m.drained()
	s.set(func(s *contentServer) { s.content, s.tag = []byte("new"), `"`+sum("new")+`"` })
	out, err := goOn()
	require.NoError(t, err, out)
	require.Empty(t, m.failures.Events())
}
