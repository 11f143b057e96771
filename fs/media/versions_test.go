package media_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote/testrun"
)

// versionReaders are programs that open f, read a part of it, say "ready", and print what is left of
// it once they get a line, and then the whole again. Each gets the version that it has opened.
var versionReaders = map[string]string{
	"read": `i = os.read(f, 4096); go(); r = i
while i: i = os.read(f, 4096); r += i
os.lseek(f, 0, 0); again = os.read(f, 1 << 20)`,
	"mmap": `m = mmap.mmap(f, 0, prot=mmap.PROT_READ); i = m[:4096]; go(); r = i + m[4096:]; again = m[:]`,
	"sendfile": `o = os.memfd_create("o"); os.sendfile(o, f, 0, 4096); go()
while os.sendfile(o, f, os.lseek(o, 0, 1), 65536): pass
r = os.pread(o, 1 << 20, 0); again = os.pread(f, 1 << 20, 0)`,
	"splice": `a, b = os.pipe(); r = b""
def some():
    n = os.splice(f, b, 4096); return os.read(a, n) if n else b""
r = i = some(); go()
while i: i = some(); r += i
again = os.pread(f, 1 << 20, 0)`,
}

// readVersion starts a reader and returns when it has read a part. finish returns what it has read.
func (m *mount) readVersion(how string) (finish func() string) {
	m.t.Helper()
	p := m.command(`exec python3 -c '
import hashlib, mmap, os, sys
f = os.open("media/f", os.O_RDONLY)
def go(): print("ready", flush=True); sys.stdin.readline()
` + versionReaders[how] + `
assert r == again, (len(r), len(again))
assert os.fstat(f).st_size == len(r)
print(hashlib.sha256(r).hexdigest())'`)
	said := new(strings.Builder)
	p.Stderr = said
	in, err := p.StdinPipe()
	require.NoError(m.t, err)
	out, err := p.StdoutPipe()
	require.NoError(m.t, err)
	require.NoError(m.t, p.Start())
	_, err = io.ReadFull(out, make([]byte, 6))
	require.NoError(m.t, err, "%s: %s", how, said)
	return func() string {
		_, _ = io.WriteString(in, "\n")
		sum, err := io.ReadAll(out)
		require.NoError(m.t, err)
		require.NoError(m.t, p.Wait(), "%s: %s", how, said)
		return strings.TrimSpace(string(sum))
	}
}

// colleaguePuts puts a version of f on the service, and makes the mount see it.
func (m *mount) colleaguePuts(content string) {
	m.t.Helper()
	_, err := m.client.UploadFile(m.t.Context(), 0, "f", bytesContent(content))
	require.NoError(m.t, err)
	require.NoError(m.t, m.store.Refresh(m.t.Context()))
}

// TestAReaderKeepsItsVersion checks that a program that reads a file slowly gets the version that it
// has opened, whatever a colleague puts there: a longer one, a shorter one, or none; and that who
// opens the file afterwards gets the new one, which is another inode.
func TestAReaderKeepsItsVersion(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, options...)
			m.colleaguePuts(strings.Repeat("a", 300_000))
			m.eventually(func() bool { return m.sh(`stat -c %s f`) == "300000" })
			var finish []func() string
			var want, hows []string
			for version, size := range []int{300_000, 500_000, 10_000, 300_000} {
				content := strings.Repeat(fmt.Sprint(version), size)
				m.colleaguePuts(content)
				m.eventually(func() bool { return m.sh(`head -c 1 f; stat -c %s f`) == fmt.Sprintf("%d%d", version, size) })
				for how := range versionReaders {
					finish, want, hows = append(finish, m.readVersion(how)), append(want, sum(content)), append(hows, how)
				}
			}
			inode := m.sh(`stat -c %i f`)
			m.colleaguePuts("new")
			m.eventually(func() bool { return m.sh(`cat f`) == "new" })
			now := m.sh(`stat -c %i f`)
			require.NoError(t, m.client.DeleteFile(t.Context(), m.ids()["f"]))
			require.NoError(t, m.store.Refresh(t.Context()))
			m.eventually(func() bool { return m.sh(`ls`) == "" })
			for i := range finish {
				require.Equal(t, want[i], finish[i](), "%s, reader %d", hows[i], i)
			}
			require.Empty(t, m.failures.Events())
			require.NotEqual(t, inode, now)
		})
	}
}

// TestAWriterOfAnOlderVersion checks what becomes of a program that had opened a file for writing when
// a colleague replaced it: its close fails, and nothing of it is lost; and that a program whose open
// empties the file replaces the new version.
func TestAWriterOfAnOlderVersion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, then string
		service     string
		failed      map[string]string
	}{
		"had written":     {`os.pwrite(f, b"X", 0)`, `os.pwrite(f, b"Y", 1); stale(os.close, f); stale(os.close, g)`, "theirs", map[string]string{"f": "XYd"}},
		"had not written": {`pass`, `os.pwrite(f, b"Y", 1); stale(os.close, f); stale(os.close, g)`, "theirs", map[string]string{"f": "oYd"}},
		"writes nothing":  {`pass`, `os.close(f)`, "theirs", nil},
		"opens again": {`pass`, `
os.close(os.open("media/f", os.O_WRONLY | os.O_TRUNC)); os.truncate("media/f", 0); h = os.open("media/f", os.O_WRONLY | os.O_APPEND)
os.write(h, b"new"); os.close(h); os.close(f)`, "new", nil},
		"reads": {`pass`, `
assert os.pread(f, 10, 0) == b"old" == open("/proc/self/fd/%d" % f, "rb").read()
assert os.fstat(f).st_nlink == 0 and os.stat("media/f").st_nlink == 1
stale(os.open, "/proc/self/fd/%d" % f, os.O_WRONLY); os.fchmod(f, 0o600); os.close(f)`, "theirs", nil},
	} {
		for mode, options := range modesOf(t) {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.sh(`printf old > f`)
				m.idle()
				p := m.command(`exec python3 -c '
import errno, os, sys
def stale(call, *args):
    try: call(*args)
    except OSError as e: assert e.errno == errno.ESTALE, e
    else: raise AssertionError("no error")
f = os.open("media/f", os.O_RDWR); g = os.dup(f)
` + c.first + `
print("ready", flush=True); sys.stdin.readline()
` + c.then + `'`)
				said := new(strings.Builder)
				p.Stderr = said
				in, err := p.StdinPipe()
				require.NoError(t, err)
				out, err := p.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, p.Start())
				_, err = io.ReadFull(out, make([]byte, 6))
				require.NoError(t, err, "%s", said)
				m.colleaguePuts("theirs")
				m.eventually(func() bool { return name == "had written" || m.sh(`cat f`) == "theirs" })
				_, _ = io.WriteString(in, "\n")
				require.NoError(t, p.Wait(), "%s", said)
				require.Equal(t, map[string]string{"f": sum(c.service)}, m.atService())
				m.eventually(func() bool { return m.sh(`cat f`) == c.service })
				m.eventually(func() bool { return len(m.store.Failed()) == len(c.failed) })
				for entry, content := range c.failed {
					require.Equal(t, content, m.content(entry))
				}
			})
		}
	}
}

// TestWritesThatNoCloseCanReportAreInErrors checks that what a program writes to an older version without a close
// that could tell of it, through a mapping or before an exec, has one line in errors.
func TestWritesThatNoCloseCanReportAreInErrors(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		for name, then := range map[string]string{
			"a close":              `os.write(f, b"Y"); stale(os.close, f)`,
			"several closes":       `os.write(f, b"?"); stale(os.close, os.dup(f)); os.pwrite(f, b"Y", 0); stale(os.close, os.dup(f)); stale(os.close, f)`,
			"a mapping":            `m = mmap.mmap(f, 3); close(f); m[0:1] = b"Y"; os._exit(0)`,
			"a mapping that syncs": `m = mmap.mmap(f, 3); close(f); m[0:1] = b"Y"; m.flush(); os._exit(0)`,
			"an exec":              `os.write(f, b"Y"); os.execlp("true", "true")`,
		} {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				if strings.HasPrefix(name, "a mapping") && !exitStatusIsKept(t) {
					t.Skip("the kernel does not keep exit statuses, so the mount may miss this one")
				}
				m := newMount(t, options...)
				m.sh(`printf old > f`)
				m.drained()
				goOn := m.paused(`exec python3 -c '
import errno, mmap, os
def stale(call, *args):
    try: call(*args)
    except OSError as e: assert e.errno == errno.ESTALE, e
    else: raise AssertionError("no error")
def close(f): # and the duplicate that python keeps for a mapping
    for n in os.listdir("/proc/self/fd"):
        if os.path.exists("/proc/self/fd/" + n) and os.fstat(int(n)).st_ino == ino: os.close(int(n))
f = os.open("f", os.O_RDWR)
ino = os.fstat(f).st_ino
print("ready", flush=True); input()
` + then + `'`)
				m.colleaguePuts("theirs")
				m.eventually(func() bool { return m.sh(`cat f`) == "theirs" })
				said, err := goOn()
				require.NoError(t, err, said)
				m.eventually(func() bool { return len(m.store.Failed()) == 1 })
				require.Equal(t, "Yld", m.content("f"))
				require.True(t, len(m.failures.Events()) == 1 || name == "several closes", "%v", m.failures.Events())
				require.Equal(t, []string{"media/f", "ESTALE"}, []string{m.failures.Events()[0].Path, m.failures.Events()[0].Errno})
			})
		}
	}
}

// hasty are programs that open f again and again until "stop" exists, each reading it in its own way,
// and check that what one descriptor gives is one version: a byte that says which, repeated as often
// as that version is long. They print how many versions they read whole. ESTALE ends a pass, also at an open: the
// kernel looks the name up again only once; a mapping
// would get SIGBUS, so its reader looks whether the bytes can be had.
const hasty = `exec python3 -c '
import errno, mmap, os, random, sys, time
how, whole = sys.argv[1], 0
def all(f):
    if how == "mmap": os.pread(f, 1, 0); return mmap.mmap(f, 0, prot=mmap.PROT_READ)[:]
    r = b""
    while True:
        i = os.read(f, 50000); r += i
        if not i: return r
        if how == "slowly": time.sleep(random.random() / 100)
while not os.path.exists("stop"):
    f = None
    try:
        f = os.open("media/f", os.O_RDONLY)
        for _ in range(2):
            os.lseek(f, 0, 0); r = all(f)
            assert r and r == r[:1] * (1000 * r[0]), (how, len(r), set(r))
            assert os.fstat(f).st_size == len(r)
        whole += 1
    except OSError as e: assert e.errno == errno.ESTALE, e
    if f: os.close(f)
print(whole)' `

// TestReadersBesideAHastyColleague checks that no program reads a mixture of versions, a NUL, or an
// early end while a colleague replaces the file ten times a second, whether the mount sees this at once
// or finds out by a download that is not what the tree says.
func TestReadersBesideAHastyColleague(t *testing.T) {
	t.Parallel()
	for name, refresh := range map[string]bool{"seen": true, "not seen": false} {
		for mode, options := range modesOf(t) {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, append(slices.Clip(options), func(o *media.Options) { o.TTL = time.Hour })...)
				m.colleaguePuts(strings.Repeat("!", 33_000))
				m.eventually(func() bool { return m.sh(`head -c 1 f`) == "!" })
				var programs []*exec.Cmd
				var out [3]strings.Builder
				for i, how := range []string{"at once", "slowly", "mmap"} {
					p := m.command(hasty + "'" + how + "'")
					p.Stdout, p.Stderr = &out[i], &out[i]
					require.NoError(t, p.Start())
					programs = append(programs, p)
				}
				tick := time.NewTicker(100 * time.Millisecond)
				defer tick.Stop()
				versions := 30
				if !testrun.All() {
					versions = 12
				}
				for version := range versions {
					<-tick.C
					size := 34 + version*37%90
					_, err := m.client.UploadFile(t.Context(), 0, "f", bytesContent(strings.Repeat(string(rune(size)), 1000*size)))
					require.NoError(t, err)
					if refresh {
						require.NoError(t, m.store.Refresh(t.Context()))
					}
				}
				require.NoError(t, os.WriteFile(filepath.Join(m.home, "stop"), nil, 0o600))
				for i, p := range programs {
					require.NoError(t, p.Wait(), "%s", &out[i])
					whole, err := strconv.Atoi(strings.TrimSpace(out[i].String()))
					require.NoError(t, err, "%s", &out[i])
					require.Positive(t, whole)
				}
				for _, e := range m.failures.Events() {
					require.Equal(t, "ESTALE", e.Errno, "%v", e)
				}
			})
		}
	}
}
