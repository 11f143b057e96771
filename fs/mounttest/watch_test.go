package mounttest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// onATerminal runs a command on a terminal of 24 lines and 80 columns. Its first argument has a text
// per line. When the first text has appeared, or never will, it creates the file of its second
// argument; when all have appeared in this order, it types ^C. Its third argument is how many seconds
// that may take. It exits with the command's code.
const onATerminal = `import fcntl, os, pty, signal, struct, sys, termios
def late(*_):
    raise OSError
signal.signal(signal.SIGALRM, late)
words, mark = sys.argv[1].split("\n"), sys.argv[2]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execvp(sys.argv[4], sys.argv[4:])
signal.alarm(int(sys.argv[3]))
shown = b""
try:
    while True:
        shown += os.read(fd, 65536)
        while words and words[0].encode() in shown:
            shown = shown[shown.index(words[0].encode()):]
            open(mark, "w").close()
            if words.pop(0) is not None and not words:
                os.write(fd, b"\x03")
except OSError: # the terminal's other end is closed, or it is too late
    os.kill(pid, signal.SIGINT) if words else None
open(mark, "w").close()
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print("not shown:", words, "at the end of", shown[-1500:].decode(errors="replace"), file=sys.stderr) if words else None
sys.exit(code if not words else 99)
`

// TestStatusOnATerminalIsLive checks that status on a terminal shows what waits and why, then that
// it has arrived, and ends with ^C. Off a terminal it ends when all files have arrived.
func TestStatusOnATerminalIsLive(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	m.proxy.Answer(nil, restarting(http.StatusFound, ""))
	m.sh(`echo one > media/one; echo no > media/.hidden.swp`)
	m.eventually(`"$PAPERFS" status . | grep -q "all of it waits:.*HTTP 302"`)
	require.NoError(t, os.WriteFile(filepath.Join(m.home, "terminal.py"), []byte(onATerminal), 0o600))
	ended := make(chan error, 1)
	go func() {
		out, err := m.run("sh", `python3 "$HOME/terminal.py" "all of it waits:
media/one: waits
1 published, 1 local, 0 being written, 0 pending" "$HOME/shown" `+fmt.Sprint(int(testrun.Patience().Seconds()*2/3))+` "$PAPERFS" status --watch .`)
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		ended <- err
	}()
	m.eventually(`test -e "$HOME/shown"`)
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry .`)
	assert.NoError(t, <-ended)
	assert.Contains(t, m.sh(`"$PAPERFS" status .`), "media/.hidden.swp, since ")
	assert.Empty(t, m.sh(`"$PAPERFS" status --watch .`))
}
