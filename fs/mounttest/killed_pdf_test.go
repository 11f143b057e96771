package mounttest

import (
	"testing"

	"paperfs/remote"
)

// TestAMountThatIsKilledWhileAPDFIsSent checks that the whole PDF is kept, and that content written
// through another handle in the meantime is newer.
func TestAMountThatIsKilledWhileAPDFIsSent(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/A/X.paper`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	defer release()
	m.proxy.Reset()
	m.sh(`cp "$HOME/two.pdf" papers/A/X.paper/source.pdf > /dev/null 2>&1 &`)
	m.waitForRequest(remote.ProcessPDF)
	m.crash()
	m.start()
	m.sh(`set -e; test "$(ls .paperfs/failed)" = source.pdf; grep -q ' bytes of "papers/A/X.paper/source.pdf" since ' .paperfs/uploads
		"$PAPERFS" why papers/A/X.paper/source.pdf; cmp "$HOME/two.pdf" .paperfs/failed/source.pdf`)
}
