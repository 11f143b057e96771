package media_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/fs/mountpoint"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// holdRest makes a service give the first piece of content and single blocks, but nothing of the rest
// until it may.
func (s *contentServer) holdRest(t *testing.T) (let func()) {
	held := make(chan struct{})
	let = sync.OnceFunc(func() { close(held) })
	t.Cleanup(let)
	s.set(func(s *contentServer) {
		s.pause = func(r *http.Request) {
			var from, to int64
			if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); err != nil || from > 0 && to-from >= 128<<10 {
				<-held
			}
		}
	})
	return let
}

// changing is a program that changes a part of f, and then prints a line and waits for another. Afterwards it
// does the same to the file f beside the mount.
func changing(flags, early, late string) string {
	return `exec python3 -c '
import mmap, os, random, sys
size, MiB = os.stat("../f").st_size, 1 << 20
def change(path, wait):
    r, got = random.Random(7), []
    f = os.open(path, os.` + flags + `)
    os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
    def at_random():
        for _ in range(300): os.pwrite(f, r.randbytes(r.randrange(1, 5000)), r.randrange(size))
    def read(n, at): got.append(os.pread(f, n, at))
    ` + early + `
    wait()
    ` + late + `
    try: os.close(f)
    except OSError as e: sys.exit("the close failed: %s" % e)
    return got
got = change("f", lambda: (print("ready", flush=True), sys.stdin.readline()))
assert got == change("../f", lambda: None)'`
}

var partialChanges = map[string][3]string{
	"append":        {"O_WRONLY | os.O_APPEND", `os.write(f, b"x" * 300_000)`, `os.write(f, b"y")`},
	"first byte":    {"O_WRONLY", `os.pwrite(f, b"x", 0)`, `pass`},
	"middle":        {"O_WRONLY", `os.pwrite(f, b"x" * 300_000, 4 * MiB - 7)`, `os.pwrite(f, b"y" * 7, 4 * MiB - 10)`},
	"last byte":     {"O_WRONLY", `os.pwrite(f, b"x", size - 1)`, `pass`},
	"behind":        {"O_WRONLY", `os.pwrite(f, b"x", size + 100_000)`, `os.pwrite(f, b"y" * 5, size + 50)`},
	"at random":     {"O_WRONLY", `at_random()`, `at_random()`},
	"all":           {"O_WRONLY", `os.pwrite(f, b"x" * size, 0)`, `pass`},
	"reading":       {"O_RDWR", `os.pwrite(f, b"x" * 50_000, 4 * MiB - 7); read(50_000, 4 * MiB - 9); read(10, size - 10); read(10, size + 7)`, `at_random(); read(size, 0)`},
	"down and up":   {"O_RDWR", `os.pwrite(f, b"x", 4 * MiB); os.ftruncate(f, 5 * MiB + 3); os.pwrite(f, b"y" * 5, 6 * MiB); os.ftruncate(f, 7 * MiB); read(9, 5 * MiB)`, `os.ftruncate(f, 7 * MiB - 9); read(size, 0)`},
	"down, late":    {"O_WRONLY", `os.pwrite(f, b"x", 4 * MiB)`, `os.ftruncate(f, 2 * MiB - 5); os.pwrite(f, b"y", 2 * MiB)`},
	"cut":           {"O_RDWR", `os.ftruncate(f, 4 * MiB + 1)`, `read(size, 0)`},
	"a mapping":     {"O_RDWR", `m = mmap.mmap(f, size); m[4 * MiB - 2:4 * MiB + 2] = b"xxxx"; m.flush()`, `m[:4], m[-4:] = b"yyyy", b"zzzz"; m.close()`},
	"by allocation": {"O_WRONLY", `os.posix_fallocate(f, 0, size + 1000)`, `pass`},
}

// TestAWriterDoesNotWaitForTheRest changes a part of a file that is not on this machine, while the service
// gives nothing but the beginning and single blocks. At the close, the service gets all of it.
func TestAWriterDoesNotWaitForTheRest(t *testing.T) {
	t.Parallel()
	for name, c := range partialChanges {
		for mode, noRanges := range map[string]bool{"": false, ", no parts": true} {
			if noRanges && name != "reading" && !testrun.All() {
				continue // without parts, a change waits for the whole file, whatever it changes
			}
			if slices.Contains([]string{"first byte", "last byte", "down, late", "by allocation", "cut"}, name) && !testrun.All() {
				continue // like the middle, the append, and down and up
			}
			t.Run(name+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t)
				s, content := m.largeFile(8<<20 + 5)
				m.outside("f", content)
				let := func() {}
				if s.set(func(s *contentServer) { s.noRanges = noRanges }); !noRanges {
					let = s.holdRest(t)
				}
				goOn := m.paused(changing(c[0], c[1], c[2]))
				let()
				out, err := goOn()
				require.NoError(t, err, out)
				want, err := os.ReadFile(filepath.Join(m.home, "f"))
				require.NoError(t, err)
				require.Equal(t, map[string]string{"f": sum(string(want))}, m.atService())
				s.set(func(s *contentServer) { s.content, s.tag = want, `"`+sum(string(want))+`"` })
				m.sh(`cmp f ../f`)
				require.Empty(t, m.store.Failed())
				require.Empty(t, m.failures.Events())
			})
		}
	}
}

// TestAnEmptiedFileNeedsNothing changes a part of a file, and then empties and writes it: the close does not
// wait for what the service does not give.
func TestAnEmptiedFileNeedsNothing(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	s, content := m.largeFile(8 << 20)
	m.outside("f", content)
	s.holdRest(t)
	out, err := m.paused(changing("O_WRONLY", `os.pwrite(f, b"x", 4 * MiB)`, `os.ftruncate(f, 0); os.pwrite(f, b"new", 3)`))()
	require.NoError(t, err, out)
	require.Equal(t, map[string]string{"f": sum("\x00\x00\x00new")}, m.atService())
	require.Empty(t, m.store.Failed())
}

// TestTheRestCannotBeHad changes a part of a file whose rest then turns out to be wrong, or cannot be had: the
// close says so, the name shows what it held, and what was written is in failed/, as incomplete.
func TestTheRestCannotBeHad(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		if mode != "direct" && !testrun.All() {
			continue
		}
		for name, c := range map[string]struct {
			happens func(m *mount, s *contentServer, content []byte)
			errno   string
			says    string
			whole   bool
		}{
			"a lie": {func(_ *mount, s *contentServer, content []byte) {
				wrong := bytes.Clone(content)
				wrong[len(wrong)-1] ^= 1
				s.set(func(s *contentServer) { s.content = wrong })
			}, "EIO", "cannot be fetched", false},
			"a lie in what is overwritten": {func(_ *mount, s *contentServer, content []byte) {
				wrong := bytes.Clone(content)
				wrong[4<<20+1] ^= 1
				s.set(func(s *contentServer) { s.content = wrong })
			}, "EIO", "cannot be fetched", false},
			"nothing": {func(_ *mount, s *contentServer, _ []byte) {
				s.set(func(s *contentServer) { s.most = -1 })
			}, "", "cannot be fetched", false},
			"another version, and the connection breaks off": {func(m *mount, s *contentServer, _ []byte) {
				s.set(func(s *contentServer) { s.content, s.tag = []byte("theirs"), `"`+sum("theirs")+`"` })
				m.colleaguePuts("theirs")
			}, "ESTALE", "somebody else has changed", false},
			"another version": {func(m *mount, _ *contentServer, _ []byte) { m.colleaguePuts("theirs") }, "ESTALE", "somebody else has changed", true},
		} {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				s, content := m.largeFile(8 << 20)
				m.outside("f", content)
				let := s.holdRest(t)
				goOn := m.paused(changing("O_WRONLY", `os.pwrite(f, b"x" * 300_000, 4 * MiB)`, `os.pwrite(f, b"y", 0)`))
				c.happens(m, s, content)
				let()
				out, err := goOn()
				require.Error(t, err, out)
				require.Contains(t, out, "the close failed")
				want := sum(string(content))
				if strings.HasPrefix(name, "another version") {
					want = sum("theirs")
				}
				require.Equal(t, map[string]string{"f": want}, m.atService())
				failed := m.store.Failed()
				require.Len(t, failed, 1)
				require.Equal(t, !c.whole, failed[0].Unfinished)
				require.Contains(t, failed[0].Reason, c.says)
				event := m.failures.Events()[0]
				require.Contains(t, event.Message, c.says)
				require.Regexp(t, c.errno, event.Errno)
				if c.whole {
					copy(content[4<<20:], strings.Repeat("x", 300_000))
					content[0] = 'y'
					require.Equal(t, sum(string(content)), sum(m.content(failed[0].Name)))
				}
			})
		}
	}
}

// TestAKilledWriterNeedsNothing kills a program that changes a part of a file whose rest does not come: nothing
// is published, and nothing waits.
func TestAKilledWriterNeedsNothing(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	s, content := m.largeFile(8 << 20)
	m.outside("f", content)
	s.holdRest(t)
	out, err := m.paused(changing("O_WRONLY", `os.pwrite(f, b"x", 4 * MiB)`, `os.kill(os.getpid(), 9)`))()
	require.ErrorContains(t, err, "killed", out)
	require.Equal(t, map[string]string{"f": sum(string(content))}, m.atService())
	require.Len(t, m.store.Failed(), 1)
	require.True(t, m.store.Failed()[0].Unfinished)
}

// TestAMountThatIsKilledBeforeTheRestCame kills the mount: the next one publishes nothing of the file, and shows
// what the service has.
func TestAMountThatIsKilledBeforeTheRestCame(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"", "write-back"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			fixture := servicetest.Start(t)
			m := newMountOn(t, fixture)
			s, content := m.largeFile(8 << 20)
			m.outside("f", content)
			let := s.holdRest(t)
			m.stop()
			child := m.startChild(fixture, mode)
			m.eventually(func() bool { return m.sh(`stat -c %s f`) == fmt.Sprint(8<<20) })
			goOn := m.paused(changing("O_WRONLY", `os.pwrite(f, b"x", 4 * MiB)`, `pass`))
			require.NoError(t, child.Process.Kill())
			_ = child.Wait()
			_ = mountpoint.Detach(m.dir)
			_, err := goOn()
			require.Error(t, err)
			let()
			if mode != "" {
				m.options = append(m.options, writeBack)
			}
			m.start()
			require.Equal(t, map[string]string{"f": sum(string(content))}, m.atService())
			m.sh(`cmp f ../f`)
			require.Len(t, m.store.Failed(), 1)
			require.True(t, m.store.Failed()[0].Unfinished)
		})
	}
}

// TestNamesOfAFileWhoseRestIsComing moves, removes and truncates a file by its name while a program changes a part
// of it and the rest is coming.
func TestNamesOfAFileWhoseRestIsComing(t *testing.T) {
	t.Parallel()
	deleting := func(o *media.Options) { o.AllowDelete = true }
	for name, c := range map[string]struct {
		act string
		at  string // where the service has it then
	}{
		"moved":     {`mv f g`, "g"},
		"removed":   {`rm f`, ""},
		"hidden":    {`mv f .g`, ""},
		"truncated": {`truncate -s 6M f; truncate -s 6M ../f`, "f"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, deleting)
			s, content := m.largeFile(8 << 20)
			m.outside("f", content)
			let := s.holdRest(t)
			goOn := m.paused(changing("O_RDWR", `os.pwrite(f, b"x" * 300_000, 4 * MiB)`, `read(size, 0)`))
			act := m.command(`cd media && ` + c.act)
			require.NoError(t, act.Start())
			let()
			require.NoError(t, act.Wait())
			out, err := goOn()
			require.NoError(t, err, out)
			want := map[string]string{}
			if c.at != "" {
				mine, err := os.ReadFile(filepath.Join(m.home, "f"))
				require.NoError(t, err)
				want[c.at] = sum(string(mine))
			}
			require.Equal(t, want, m.atService())
			if name == "hidden" {
				m.sh(`cmp .g ../f`)
			}
			require.Empty(t, m.store.Failed())
		})
	}
}
