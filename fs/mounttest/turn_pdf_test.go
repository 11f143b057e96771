package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestASignalEndsTheWaitForAnotherPDF checks the wait for another PDF of the same paper.
func TestASignalEndsTheWaitForAnotherPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/C/X.paper`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	m.proxy.Reset()
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf > /dev/null 2>&1 &`)
	m.waitForRequest(remote.ProcessPDF)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.paper/source.pdf > /dev/null 2>&1 & pid=$!
		until test "$(stat -c %s papers/C/X.paper/source.pdf)" = "$(stat -c %s "$HOME/two.pdf")"; do sleep 0.02; done
		kill -TERM $pid; ! wait $pid`)
	require.Equal(t, 1, m.proxy.Count(remote.ProcessPDF))
	release()
}
