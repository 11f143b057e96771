package mounttest

import (
	"bufio"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestWritersOfAPDFThatIsBeingSent checks that writers do not wait for the service: their writes
// are part of the next upload, not of the one under way.
func TestWritersOfAPDFThatIsBeingSent(t *testing.T) {
	t.Parallel()
	for how, write := range map[string]string{
		"a shorter file": `os.ftruncate(f, 0); os.pwrite(f, new, 0)`,
		"an overwrite":   `os.pwrite(f, new, 0)`,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			first, second := pdfOf(t, 3, 9000), pdfOf(t, 2, 8000)
			if how != "a shorter file" {
				second = pdfOf(t, 2, 9000)
			}
			m.put("first", first)
			m.put("second", second)
			m.sh(`mkdir papers/X.paper`)
			release := m.proxy.Freeze(remote.ProcessPDF)
			defer release()
			m.proxy.Reset()
			writer := programtest.Command(t, testrun.Patience(), "bash", "-c", `cd papers/X.paper; exec python3 -c '
import os, sys, threading
old, new = (open(os.environ["HOME"] + name, "rb").read() for name in ("/first", "/second"))
first = os.open("source.pdf", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
os.write(first, old)
f = os.open("source.pdf", os.O_RDWR)
failed = []
def close():
    try: os.close(first)
    except OSError as e: failed.append(e)
closer = threading.Thread(target=close); closer.start()
sys.stdin.readline()
`+write+`
print("written", flush=True)
closer.join(); assert not failed, failed
print("closed", flush=True)
sys.stdin.readline()
os.close(f)'`)
			writer.Dir, writer.Env = m.dir, m.environment()
			tell := testrun.Must(writer.StdinPipe())(t)
			out := testrun.Must(writer.StdoutPipe())(t)
			lines := make(chan string)
			require.NoError(t, writer.Start())
			go func() {
				defer close(lines)
				for scanner := bufio.NewScanner(out); scanner.Scan(); {
					lines <- scanner.Text()
				}
			}()
			m.waitForRequest(remote.ProcessPDF)
			testrun.Must(io.WriteString(tell, "write\n"))(t)
			says := func(want string) {
				select {
				case line := <-lines:
					require.Equal(t, want, line)
				case <-time.After(testrun.Patience()):
					t.Fatalf("the program has not %s", want)
				}
			}
			says("written") // while the service answers nothing
			release()
			says("closed")
			m.sh(`"$PAPERFS" wait papers/X.paper`) // the service processes one at a time
			testrun.Must(io.WriteString(tell, "close\n"))(t)
			for range lines { // until its end
			}
			require.NoError(t, writer.Wait())
			require.Equal(t, 2, m.proxy.Count(remote.ProcessPDF))
			m.sh(`cmp "$HOME/second" papers/X.paper/source.pdf; test -z "$(ls .paperfs/failed)"`)
		})
	}
}
