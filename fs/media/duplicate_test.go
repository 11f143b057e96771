package media_test

import (
	"bufio"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// closings are programs that write a and close one descriptor of it while they keep another one
// open. The user of a program adds the closing quote.
var closings = map[string]string{
	// A file system on top of the mount forwards a close this way, and keeps the file open.
	"a duplicate": `python3 -c '
import os, sys
f = os.open("a", os.O_WRONLY | os.O_CREAT)
os.write(f, b"1")
def close(): os.close(os.dup(f))
`,
	"a second descriptor, for a lock": `python3 -c '
import os, sys
lock = os.open("a", os.O_RDWR | os.O_CREAT)
f = os.open("a", os.O_WRONLY)
os.write(f, b"1")
def close(): os.close(f)
`,
}

// TestACloseThatKeepsAnotherPublishes checks that the close publishes the file once, before the
// program ends.
func TestACloseThatKeepsAnotherPublishes(t *testing.T) {
	t.Parallel()
	for name, program := range closings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`python3 --version && ls`) // skips the test if there is no python3
			m.idle()
			m.proxy.Reset()
			c := m.command(`cd media; exec ` + program + `close(); print("closed", flush=True); sys.stdin.read()'`)
			end, err := c.StdinPipe()
			require.NoError(t, err)
			out, err := c.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, c.Start())
			line, err := bufio.NewReader(out).ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "closed\n", line)
			require.Equal(t, 1, m.proxy.Count(remote.UploadFile), "the close uploads before the program ends")
			require.NoError(t, end.Close())
			require.NoError(t, c.Wait())
			require.Equal(t, map[string]string{"a": sum("1")}, m.atService())
			require.Equal(t, 1, m.proxy.Count(remote.UploadFile))
		})
	}
}

// TestACloseThatKeepsAnotherTells checks that the close returns an error if the upload fails.
func TestACloseThatKeepsAnotherTells(t *testing.T) {
	t.Parallel()
	for name, program := range closings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls`)
			m.refuse()
			m.sh(program + `
try: close()
except OSError: os._exit(0)
raise AssertionError("the close succeeded")'`)
			m.settled()
			require.Len(t, m.store.Failed(), 1)
		})
	}
}
