package mounttest

import (
	"testing"

	"paperfs/remote"
)

// TestReadingAPDFWhoseSenderWasInterrupted checks that the close continues in the background, and
// that, until the service has answered, the name shows the PDF being sent.
func TestReadingAPDFWhoseSenderWasInterrupted(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.drops(t)
	m.sh(`mkdir papers/C/X.paper`)
	held, release := m.proxy.FreezeAnswer(remote.ProcessPDF)
	m.sh(`(exec cp "$HOME/two.pdf" papers/C/X.paper/source.pdf > /dev/null 2>&1) & echo $! > "$HOME/pid"`)
	<-held
	m.sh(`kill -TERM $(cat "$HOME/pid")`)
	m.eventually(`! grep -qs "^State:[[:space:]]*[^XZ[:space:]]" "/proc/$(cat "$HOME/pid")/status"`) // in a PID namespace, nobody may wait for it
	m.sh(`set -e; cmp "$HOME/two.pdf" papers/C/X.paper/source.pdf; cmp "$HOME/two.pdf" papers/C/X.pdf`)
	release()
	m.sh(`"$PAPERFS" wait papers/C/X.paper; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
}
