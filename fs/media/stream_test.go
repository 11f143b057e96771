package media_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// contentServer gives content in place of the service, and notes what was asked for.
type contentServer struct {
	mu       sync.Mutex
	content  []byte
	tag      string
	noRanges bool
	pause    func(r *http.Request)
	ranges   []string
	odd      func(s *contentServer, w http.ResponseWriter, r *http.Request) // called with mu locked before an answer
	wrap     func(http.ResponseWriter, *http.Request) http.ResponseWriter
	most     int // bytes that an answer has before it breaks off; 0: all; -1: none
}

// largeFile puts a file with random content on the service, and serves downloads of it.
func (m *mount) largeFile(size int) (*contentServer, []byte) {
	m.t.Helper()
	content := make([]byte, size)
	var seed [32]byte
	_, _ = rand.NewChaCha8(seed).Read(content)
	_, err := m.client.UploadFile(m.t.Context(), 0, "f", bytesContent(content))
	require.NoError(m.t, err)
	s := &contentServer{content: content, tag: `"` + sum(string(content)) + `"`}
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, ".asmx/") {
			return false
		}
		s.answer(w, r)
		return true
	})
	m.eventually(func() bool { return m.sh(`stat -c %s f`) == fmt.Sprint(size) })
	return s, content
}

func (s *contentServer) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	pause, wrap := s.pause, s.wrap
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	s.mu.Unlock()
	if pause != nil {
		pause(r)
	}
	if wrap != nil {
		w = wrap(w, r)
	}
	s.mu.Lock()
	if s.noRanges {
		r.Header.Del("Range")
	}
	w.Header().Set("ETag", s.tag)
	if s.odd != nil {
		s.odd(s, w, r)
	}
	content := s.content
	if s.most != 0 {
		w = &brokenAnswer{w, max(s.most, 0)}
	}
	s.mu.Unlock()
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// brokenAnswer breaks off after so many bytes.
type brokenAnswer struct {
	http.ResponseWriter
	left int
}

func (b *brokenAnswer) Write(p []byte) (int, error) {
	n, err := b.ResponseWriter.Write(p[:min(len(p), b.left)])
	if b.left -= n; b.left == 0 {
		_ = http.NewResponseController(b.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

func (s *contentServer) set(change func(*contentServer)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

func (s *contentServer) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.ranges...)
}

// TestOnlyWhatIsReadIsFetched counts what programs make the mount ask for.
func TestOnlyWhatIsReadIsFetched(t *testing.T) {
	t.Parallel()
	const piece = "bytes=0-1572863"
	for name, c := range map[string]struct {
		script string
		asks   []string
	}{
		"head":             {`test $(head -c 1 f | wc -c) = 1`, []string{piece}},
		"tail":             {`tail -c 10 f | cmp - <(tail -c 10 ../f)`, []string{piece, "bytes=8257536-8388607"}},
		"cat":              {`cat f | cmp - ../f`, []string{piece, "bytes=1572864-8388607"}},
		"truncate by name": {`python3 -c 'import os; os.truncate("f", 1000000)'; cmp f <(head -c 1000000 ../f)`, []string{piece}},
		"truncate":         {`truncate -s 10 f; cmp f <(head -c 10 ../f)`, []string{piece}},
		"empty":            {`truncate -s 0 f; truncate -s 5 f; cmp f <(head -c 5 /dev/zero)`, []string{}},
		"append":           {`printf x >> f; tail -c 1 f | grep -q x`, []string{piece, "bytes=1572864-8388607"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			s, content := m.largeFile(8 << 20)
			m.outside("f", content)
			m.sh(c.script)
			require.Equal(t, c.asks, s.asked())
		})
	}
}

// TestProgramsReadLargeFiles reads a file in the ways of programs, from services with and without
// parts of content.
func TestProgramsReadLargeFiles(t *testing.T) {
	t.Parallel()
	for name, noRanges := range map[string]bool{"parts": false, "no parts": true} {
		for how, script := range map[string]string{
			"cp":        `cp f ../g && cmp ../f ../g`,
			"tail, cat": `tail -c 100000 f | cmp - <(tail -c 100000 ../f) && cat f | cmp - ../f`,
			"two":       `cmp f ../f & cat f | cmp - ../f && wait $!`,
			"sendfile": `python3 -c '
import os
f = os.open("f", os.O_RDONLY); o = os.open("../g", os.O_RDWR | os.O_CREAT)
while os.sendfile(o, f, None, 1 << 20): pass' && cmp ../f ../g`,
			"splice": `python3 -c '
import os
f = os.open("f", os.O_RDONLY); o = os.open("../g", os.O_RDWR | os.O_CREAT); a, b = os.pipe()
while n := os.splice(f, b, 65536): os.splice(a, o, n)' && cmp ../f ../g`,
			"mmap": `python3 -c '
import mmap, os, random
f, g = open("f", "rb"), open("../f", "rb").read(); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
for _ in range(200):
    at = random.randrange(len(g)); assert m[at:at+5000] == g[at:at+5000]
assert m[:] == g'`,
			"at random, direct": `dd if=f of=../g bs=1M iflag=direct status=none && cmp f ../f && cmp ../f ../g`,
		} {
			if !testrun.OneWay(how, noRanges) {
				continue
			}
			t.Run(how+", "+name, func(t *testing.T) {
				t.Parallel()
				m := newMount(t)
				s, content := m.largeFile(8<<20 + 5)
				s.set(func(s *contentServer) { s.noRanges = noRanges })
				m.outside("f", content)
				m.sh(script)
				m.sh(`cmp f ../f`)
				require.Empty(t, m.failures.Events())
			})
		}
	}
}

// TestNoProgramEndsWellOnDamagedContent flips a bit somewhere, at the service. Each program that
// copies or compares the file ends with an error, also if the tail was read before, and nothing is
// cached: once the service gives the right content, it is read.
func TestNoProgramEndsWellOnDamagedContent(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		`cp f ../g`, `cat f`, `set -o pipefail; tar cf - f | cat`, `cmp f ../f`, `tail -c 5 f; cp f ../g`, `tail -c 200000 f; head -c 10 f; cat f`,
		`head -c 3000000 f; cat f`, `cat f; cat f`,
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			s, content := m.largeFile(4<<20 + 1000)
			m.outside("f", content)
			places := []int{0, rand.IntN(len(content)), len(content) - 1}
			if !testrun.All() {
				i := len(script) % len(places) // each way of reading meets damage at one of them
				places = places[i : i+1]
			}
			for _, at := range places {
				wrong := bytes.Clone(content)
				wrong[at] ^= 1
				s.set(func(s *contentServer) { s.content = wrong })
				fails := m.fails(`( ` + script + ` ) > /dev/null`)
				if !strings.HasPrefix(script, "cmp") { // it ends at the first difference
					require.Regexp(t, "Input/output error|File shrank", fails, "byte %d", at)
				}
			}
			s.set(func(s *contentServer) { s.content = content })
			m.eventually(func() bool {
				return m.sh(`cat f > ../h && cmp ../h ../f || true`) == "" || m.sh(`cmp f ../f || true`) == ""
			})
			if !strings.HasPrefix(script, "cmp") {
				require.NotEmpty(t, m.failures.Events())
			}
		})
	}
}

// TestASignalEndsAReadOfASilentService stops programs that wait for the service.
func TestASignalEndsAReadOfASilentService(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	s, _ := m.largeFile(4 << 20)
	silent, waits := make(chan struct{}), make(chan struct{}, 100)
	defer close(silent)
	m.sh(`head -c 1 f`)
	s.set(func(s *contentServer) { s.pause = func(*http.Request) { waits <- struct{}{}; <-silent } })
	p := m.command(`exec tail -c 1 media/f`)
	require.NoError(t, p.Start())
	<-waits
	require.NoError(t, p.Process.Kill())
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	select {
	case err := <-ended:
		require.Error(t, err)
	case <-time.After(testrun.Patience()):
		t.Fatal("the program still waits")
	}
}

// TestAProgramRunsFromTheMount executes a file of which a part was read before.
func TestAProgramRunsFromTheMount(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	program, err := os.ReadFile("/bin/sleep")
	require.NoError(t, err)
	_, err = m.client.UploadFile(t.Context(), 0, "f", bytesContent(program))
	require.NoError(t, err)
	m.eventually(func() bool { return m.sh(`ls`) == "f" })
	m.sh(`head -c 100 f > /dev/null; chmod +x f; ./f 0`)
}

// outside writes a file beside the mount.
func (m *mount) outside(name string, content []byte) {
	m.t.Helper()
	require.NoError(m.t, os.WriteFile(filepath.Join(m.home, name), content, 0o600))
}
