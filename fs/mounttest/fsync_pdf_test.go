package mounttest

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// pid returns the process id of the mount.
func (m *mounted) pid() string { return strconv.Itoa(m.process.Process.Pid) }

// spool is the directory for files being written.
func (m *mounted) spool() string {
	m.t.Helper()
	found := testrun.Must(filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "spool")))(m.t)
	require.Len(m.t, found, 1)
	return found[0]
}

// TestFsyncOfAPDF checks that, when fsync returns, the content and its name in the spool are on the
// disk, or fsync fails.
func TestFsyncOfAPDF(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"fsync", "fdatasync"} {
		t.Run(call, func(t *testing.T) {
			m := newMount(t)
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.sh(`mkdir papers/X.paper papers/Y.paper`)
			dd := `dd if="$HOME/one.pdf" status=none conv=` + call
			synced := m.strace(func() { m.sh(dd + ` of=papers/X.paper/source.pdf`) }, "-y", "-e", "trace=fsync,fdatasync")
			assert.Regexp(t, `sync\(\d+<`+m.spool()+`/\d+>`, synced)
			assert.Regexp(t, `sync\(\d+<`+m.spool()+`>`, synced)

			m.strace(func() { assert.Contains(t, m.fails(dd+` of=papers/Y.paper/source.pdf`), "Input/output error") },
				"-P", m.spool(), "-e", "trace=fsync", "-e", "inject=fsync:error=EIO")
			assert.Regexp(t, `(?m)papers/Y.paper/source.pdf.*input/output error`, m.sh(`cat .paperfs/errors`))
		})
	}
}
