package mounttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestClosersOfAPDFThatIsBeingSentCanBeKilled checks two processes that have inherited the PDF: one
// dies with it open, and the other waits in its close for the same outcome.
func TestClosersOfAPDFThatIsBeingSentCanBeKilled(t *testing.T) {
	t.Parallel()
	needManual(t)
	m := newMount(t, firstPage)
	m.sh(`mkdir papers/X.paper; mkfifo "$HOME/go"`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	defer release()
	m.proxy.Reset()
	sent := make(chan error, 1)
	go func() {
		_, err := m.run("bash", `exec 3> papers/X.paper/source.pdf; cat `+manual+` >&3
sleep 1000 & echo $! > "$HOME/holder"
(read -r x < "$HOME/go"; echo > "$HOME/closing"; exec 3>&-; sleep 1000) & echo $! > "$HOME/closer"
exec 3>&-`)
		sent <- err
	}()
	m.waitForRequest(remote.ProcessPDF)
	m.eventually(`test -s "$HOME/closer"`)
	m.sh(`kill -KILL $(cat "$HOME/holder")`)
	m.gone("holder")
	m.sh(`echo go > "$HOME/go"`)
	m.eventually(`test -e "$HOME/closing"`)
	m.sh(`kill -KILL $(cat "$HOME/closer")`)
	m.gone("closer")
	release()
	require.NoError(t, <-sent)
	assert.Equal(t, 1, m.proxy.Count(remote.ProcessPDF))
	m.sh(`cmp ` + manual + ` papers/X.paper/source.pdf`)
	assert.Empty(t, m.sh(`ls .paperfs/failed`))
}

// gone waits until the process whose id is in a file has ended, perhaps as a zombie.
func (m *mounted) gone(file string) {
	m.t.Helper()
	pid := testrun.Must(os.ReadFile(filepath.Join(m.home, file)))(m.t)
	m.eventually(`! grep -q '^State:[[:space:]][^ZX]' /proc/` + strings.TrimSpace(string(pid)) + `/status 2> /dev/null`)
}
