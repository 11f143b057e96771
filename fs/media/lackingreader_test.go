package media_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// reluctantly makes a service give the rest of content from its beginning no faster than single blocks are
// asked for: a piece for each. All that is asked for beyond far comes at once.
func (s *contentServer) reluctantly(far int64) (let func()) {
	turns, free := make(chan struct{}, 1<<20), make(chan struct{})
	s.set(func(s *contentServer) {
		s.wrap = func(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
			var from, to int64
			_, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
			switch {
			case err == nil && to-from < 128<<10:
				for range 128 << 10 / (32 << 10) { // ServeContent writes 32 KiB at a time
					turns <- struct{}{}
				}
			case from > 0 && from < far:
				return slowAnswer{w, func() {
					select {
					case <-turns:
					case <-free:
					case <-r.Context().Done():
					}
				}}
			}
			return w
		}
	})
	return func() { close(free) }
}

// slowAnswer waits before it gives a piece.
type slowAnswer struct {
	http.ResponseWriter
	wait func()
}

func (a slowAnswer) Write(p []byte) (int, error) {
	a.wait()
	return a.ResponseWriter.Write(p)
}

// TestAReaderBesideTheRest changes a file that is not on this machine, and reads on elsewhere, in order or at
// random: the rest comes from where the program reads on, and so in few requests, and never in more than are
// asked for by the program.
func TestAReaderBesideTheRest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reads string
		most  int
	}{
		"in order":  {`for i in range(80): read(128 << 10, 10 * MiB + i * (128 << 10))`, 80 / 2},
		"at random": {`for i in range(40): read(4 << 10, 10 * MiB + i * 37 % 40 * 2 * (128 << 10))`, 40 + 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			s, content := m.largeFile(20 << 20)
			m.outside("f", content)
			let := s.reluctantly(9 << 20)
			goOn := m.paused(changing("O_RDWR", `os.pwrite(f, b"x", 0)
    `+c.reads, `pass`))
			let()
			out, err := goOn()
			require.NoError(t, err, out)
			content[0] = 'x'
			require.Equal(t, map[string]string{"f": sum(string(content))}, m.atService())
			require.LessOrEqual(t, len(s.asked()), c.most, s.asked())
		})
	}
}
