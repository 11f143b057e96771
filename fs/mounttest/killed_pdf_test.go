package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// onlyFailed returns the content of failed/, which must be the PDF of one paper, and the reason for
// it.
func (m *mounted) onlyFailed(path string) (content, reason string) {
	m.t.Helper()
	assert.Equal(m.t, "source.pdf", m.sh(`ls .paperfs/failed`))
	assert.Contains(m.t, m.sh(`cat .paperfs/uploads`), ` bytes of "`+path+`" since `)
	return m.sh(`cat .paperfs/failed/source.pdf`), m.sh(`"$PAPERFS" why ` + path)
}

// TestAMountThatIsKilledWhileAPDFIsWritten checks that the written content is in failed/ with the
// paper's path, in either mode, even if a child still has it open.
func TestAMountThatIsKilledWhileAPDFIsWritten(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"--write-back", "--allow-delete"}} {
		m := newMount(t, flags...)
		m.sh(`mkdir -p papers/A/X.paper papers/A/Y.paper`)
		m.sh(`mkfifo "$HOME/go"; { exec 3> papers/A/X.paper/source.pdf; printf half >&3; read <> "$HOME/go"; } > /dev/null 2>&1 &
			exec 4> papers/A/Y.paper/source.pdf # emptied, and nothing written
			until test "$(stat -c %s papers/A/X.paper/source.pdf)" = 4; do sleep 0.02; done; kill -KILL ` + m.pid())
		<-m.exited
		m.detach()
		m.start(flags...)
		content, reason := m.onlyFailed("papers/A/X.paper/source.pdf")
		assert.Equal(t, "half", content)
		assert.Contains(t, reason, "the mount ended before the file was closed")
		m.sh(`"$PAPERFS" discard papers/A/X.paper/source.pdf; test -z "$(ls .paperfs/failed)"`)
		m.crash()
		m.start(flags...)
		m.sh(`test -z "$(ls .paperfs/failed)"`)
	}
}

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
	m.onlyFailed("papers/A/X.paper/source.pdf")
	m.sh(`cmp "$HOME/two.pdf" .paperfs/failed/source.pdf`)
}

// TestAMountThatIsKilledAfterAPDFWasSent checks that the sent content is kept for reading and has
// not failed, although it was still open.
func TestAMountThatIsKilledAfterAPDFWasSent(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/X.paper; mkfifo "$HOME/go"; python3 -c 'import os, subprocess
f = os.open("papers/X.paper/source.pdf", os.O_WRONLY | os.O_TRUNC)
os.write(f, open(os.environ["HOME"] + "/two.pdf", "rb").read())
p = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[f]) # it has it, and never writes
os.close(f)
open(os.environ["HOME"] + "/sent", "w").close()
open(os.environ["HOME"] + "/go").read()' > /dev/null 2>&1 &`)
	m.eventually(`test -e "$HOME/sent"`)
	m.crash()
	m.start()
	m.sh(reread + `; test -z "$(ls .paperfs/failed)"; cmp "$HOME/two.pdf" papers/X.paper/source.pdf`)
}
