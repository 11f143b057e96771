package media_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
)

// withholdContent makes the service return no content while the returned variable is true.
func (m *mount) withholdContent() *atomic.Bool {
	withhold := new(atomic.Bool)
	withhold.Store(true)
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, ".asmx/") || !withhold.Load() {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	return withhold
}

// TestAWriteWhoseContentCannotBeHad checks a program that changes a part of an uncached file while
// the mount cannot fetch the rest, and that continues after the error, which leaves a gap. Its close
// fails, unless it has emptied the file. The old version stays, and can be changed afterwards.
func TestAWriteWhoseContentCannotBeHad(t *testing.T) {
	t.Parallel()
	const write, another = `os.pwrite(f, b"first", 0)`, `os.pwrite(f, b"second", 3)`
	const whole = `os.ftruncate(f, 0); os.write(f, b"whole")`
	for name, c := range map[string]struct {
		flags, change, more string
		options             []func(*media.Options)
	}{
		"a write":                         {"0", write, another, nil},
		"write-back":                      {"0", write, another, []func(*media.Options){writeBack}},
		"appending":                       {"os.O_APPEND", `os.write(f, b"first")`, another, nil},
		"a truncation":                    {"0", `os.ftruncate(f, 5)`, another, nil},
		"fallocate":                       {"0", `os.posix_fallocate(f, 5, 20)`, another, nil},
		"no further write":                {"0", write, `pass`, nil},
		"a complete overwrite afterwards": {"0", write, whole, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, c.options...)
			_, err := m.client.UploadFile(t.Context(), 0, "a", bytesContent("old content"))
			require.NoError(t, err)
			m.sh(`ls`)
			want := m.atService()
			closes := "fails(os.close, f)"
			if c.more == whole {
				closes = "os.close(f)"
			}
			withhold := m.withholdContent()
			program := m.command(`exec python3 -c '
import errno, os, sys
f = os.open("media/a", os.O_WRONLY | ` + c.flags + `)
def fails(call, *args):
    try: call(*args)
    except OSError as e: assert e.errno == errno.EACCES, e
    else: raise AssertionError("the call succeeded")
fails(lambda: ` + c.change + `)
print("failed", flush=True); sys.stdin.readline()
` + c.more + `
` + closes + `'`)
			said := new(strings.Builder)
			program.Stderr = said
			in, err := program.StdinPipe()
			require.NoError(t, err)
			out, err := program.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, program.Start())
			_, _ = out.Read(make([]byte, 10))
			withhold.Store(false)
			_, _ = io.WriteString(in, "\n")
			require.NoError(t, program.Wait(), "%s", said)
			m.settled()
			if c.more == whole {
				require.Equal(t, map[string]string{"a": sum("whole")}, m.atService())
				return
			}
			require.Equal(t, want, m.atService())
			m.eventually(func() bool { return m.sh(`cat a`) == "old content" }) // the mount shows it when the kernel has sent the last RELEASE
			if c.more != "pass" {
				require.Len(t, m.store.Failed(), 1)
			}
			m.sh(`printf ', and new' >> a`)
			require.Equal(t, map[string]string{"a": sum("old content, and new")}, m.atService())
		})
	}
}
