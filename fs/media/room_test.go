package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
)

// TestNoRoomThenASmallerWrite checks a program that continues with less data after ENOSPC, which
// leaves a gap in the file. Neither its close nor its exit publishes the file.
func TestNoRoomThenASmallerWrite(t *testing.T) {
	t.Parallel()
	for mode, options := range map[string][]func(*media.Options){"direct": nil, "write-back": {writeBack}} {
		for kind, before := range map[string]string{"new": `ls`, "over a file": `echo old > a`} {
			t.Run(mode+", "+kind, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, append(options, func(o *media.Options) { o.Quota = 1000 })...)
				m.sh(before)
				want := m.atService()
				m.sh(`python3 -c '
import errno, os
f = os.open("a", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
os.write(f, b"first")
def full(call, *args):
    try: call(*args)
    except OSError as e: assert e.errno == errno.ENOSPC, e
    else: raise AssertionError("there was room")
full(os.write, f, bytes(2000))
os.write(f, b"third")
full(os.close, f)'`)
				m.settled()
				require.Equal(t, want, m.atService())
				require.Empty(t, m.store.Failed(), "the content is dropped, as `paperfs help semantics` says")
				if kind == "new" {
					m.fails(`test -e a`)
				} else {
					require.Equal(t, "old", m.sh(`cat a`))
				}
				require.Zero(t, m.store.Status().SpoolBytes)
			})
		}
	}
}

// TestHolesCountAsIfTheyWereWritten checks that a temporary file needs room for its whole size.
func TestHolesCountAsIfTheyWereWritten(t *testing.T) {
	t.Parallel()
	m := newMount(t, func(o *media.Options) { o.Quota = 1000 })
	m.sh(`truncate -s 900 a.tmp`)
	require.Contains(t, m.fails(`truncate -s 200 b.tmp`), "No space left on device")
	m.sh(`rm a.tmp; truncate -s 200 b.tmp`)
}

// TestNoRoomInWords checks that errors has readable sizes, and names the limit that was reached.
func TestNoRoomInWords(t *testing.T) {
	t.Parallel()
	for says, c := range map[string]struct {
		script string
		option func(*media.Options)
	}{
		"its quota of 256 MiB (0 B used)":         {`fallocate -l 257M a`, func(o *media.Options) { o.Quota = 256 << 20 }},
		"spool would keep less than 1.0 EiB free": {`echo x | dd of=a status=none`, func(o *media.Options) { o.Reserve = 1 << 60 }},
	} {
		m := newMount(t, c.option)
		require.Contains(t, m.fails(c.script), "No space left on device")
		m.settled()
		require.NotEmpty(t, m.failures.Events())
		require.Contains(t, m.failures.Events()[0].Message, says)
	}
}

// TestNoRoomAmongOthers checks several programs that write a file, one of which gets ENOSPC. The
// close of each writer fails, even while others have the file open, because nothing is published.
func TestNoRoomAmongOthers(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"a child": `
if os.fork() == 0:
    full(os.write, f, bytes(2000)); full(os.close, f); os._exit(0)
ended(os.wait()[1])`,
		"a child after that": `
full(os.write, f, bytes(2000))
if os.fork() == 0:
    os.write(f, b"third"); full(os.close, f); os._exit(0)
ended(os.wait()[1])`,
		"a program that opens it, too": `
full(os.write, f, bytes(2000))
g = os.open("a", os.O_WRONLY)
os.write(g, b"third")
full(os.close, g)`,
		"a group of commands": `
for program, code in ("head -c 2000 /dev/zero", 1), ("cat", 1), ("true", 0):
    p = subprocess.run(program.split(), input=b"third", stdout=f, stderr=subprocess.PIPE)
    assert p.returncode == code, p
    assert code == 0 or b"No space left on device" in p.stderr, p`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, func(o *media.Options) { o.Quota = 1000 })
			m.sh(`echo old > a`)
			want := m.atService()
			m.sh(`python3 -c '
import errno, os, subprocess
f = os.open("a", os.O_WRONLY | os.O_TRUNC)
os.write(f, b"first")
def full(call, *args):
    try: call(*args)
    except OSError as e: assert e.errno == errno.ENOSPC, e
    else: raise AssertionError("there was room")
def ended(status): assert status == 0, status
` + script + `
full(os.close, f)'`)
			m.settled()
			require.Equal(t, want, m.atService())
			require.Empty(t, m.store.Failed())
			require.Equal(t, "old", m.sh(`cat a`))
		})
	}
}
