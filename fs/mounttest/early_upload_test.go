package mounttest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// earlyWriter writes half of a large file, waits for the test, does what its argument says, and closes the file.
const earlyWriter = `python3 -c '
import os, sys
f = open(sys.argv[1], "wb", buffering=0)
data = open(os.environ["HOME"] + "/large", "rb").read()
f.write(data[:20 << 20])
open(os.environ["HOME"] + "/go").read()
exec(sys.argv[2])
os.close(f.fileno())' media/large.bin '`

// TestAnUploadBeginsWhileTheFileIsWritten checks that a large file that is written in order costs one request, which begins while a
// program writes the file and has no effect before the close. Whatever makes it vain costs one request more, and nothing else.
func TestAnUploadBeginsWhileTheFileIsWritten(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t, "--allow-delete")
	m.sh(`ls media; dd if=/dev/urandom of="$HOME/large" bs=1M count=30 status=none; mkfifo "$HOME/go"`)
	require.EqualValues(t, 30<<20, testrun.Must(os.Stat(m.home+"/large"))(t).Size(), "it is large")
	const rest, same = `f.write(data[20 << 20:])`, `cmp "$HOME/large" media/large.bin`
	cut := func() { m.proxy.CutRequest(remote.UploadFile, 1, 1<<20) }
	colleague := func() {
		testrun.Must(m.client().UploadFile(t.Context(), 0, "large.bin", bytesOf("theirs\n")))(t)
	}
	for _, c := range []struct {
		what, then    string
		before, while func()
		most          int    // requests
		fails         string // what the program says
		after         string
	}{
		{what: "in order", then: rest, most: 1, after: same},
		{what: "replaced", then: rest, most: 1, after: same},
		{what: "a seek back", then: rest + `; f.seek(0); f.write(b"HEAD")`, most: 2, after: `{ printf HEAD; tail -c +5 "$HOME/large"; } | cmp - media/large.bin`},
		{what: "a truncation", then: `f.truncate(5)`, most: 2, after: `head -c 5 "$HOME/large" | cmp - media/large.bin`},
		{what: "a connection that breaks", then: rest, before: cut, most: 2, after: same},
		{what: "a rename", then: rest, while: func() { m.sh(`mv media/large.bin media/other.bin`) }, most: 2, after: `cmp "$HOME/large" media/other.bin; rm media/other.bin; test ! -e media/large.bin`},
		{what: "a removal", then: rest, while: func() { m.sh(`rm media/large.bin`) }, most: 1, after: `test ! -e media/large.bin`},
		{what: "a rename of a new file", then: rest, while: func() { m.sh(`mv media/large.bin media/other.bin`) }, most: 2, after: `cmp "$HOME/large" media/other.bin; rm media/other.bin; test ! -e media/large.bin`},
		{what: "a kill", then: `os.kill(os.getpid(), 9)`, most: 1, fails: "-", after: `test ! -e media/large.bin; cmp <(head -c 20M "$HOME/large") .paperfs/failed/large.bin; rm .paperfs/failed/large.bin`},
		{what: "a colleague", then: rest, while: colleague, most: 2, fails: "Stale file handle", after: `grep -qx theirs media/large.bin; cmp "$HOME/large" .paperfs/failed/large.bin; rm .paperfs/failed/large.bin`},
	} {
		if slices.Contains([]string{"replaced", "a truncation", "a connection that breaks"}, c.what) && !testrun.All() {
			continue // like others, or as package remote tests it
		}
		m.proxy.Reset()
		if c.before != nil {
			c.before()
		}
		done := make(chan string)
		go func() {
			out, err := m.run("bash", "set -e; "+earlyWriter+c.then+"' 2>&1")
			if err != nil {
				out += "-"
			}
			done <- out
		}()
		m.waitForRequest(remote.UploadFile)
		if c.while != nil {
			c.while()
		}
		m.sh(`: > "$HOME/go"`)
		out := <-done
		assert.Equal(t, c.fails != "", strings.HasSuffix(out, "-"), "%s: %s", c.what, out)
		assert.Contains(t, out, c.fails, c.what)
		assert.LessOrEqual(t, m.proxy.Count(remote.UploadFile), c.most, c.what)
		m.sh(`"$PAPERFS" refresh .; set -e; ` + c.after)
	}
	m.remount("--allow-delete")
	m.sh(`set -e; test -z "$(ls .paperfs/failed)"; grep -qx theirs media/large.bin`)
}
