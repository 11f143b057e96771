package fs_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAPDFOnAFullDisk checks that the program gets ENOSPC if there is no room for the row that
// records the write.
func TestAPDFOnAFullDisk(t *testing.T) {
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`mkdir papers/C papers/C/X.paper`)
	logs, err := filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "state.db-wal"))
	require.NoError(t, err)
	require.Len(t, logs, 1)
	m.strace(func() {
		for _, path := range []string{"X.paper/source.pdf", "Spring.pdf", "x.part"} {
			assert.Contains(t, m.fails(`cp "$HOME/one.pdf" papers/C/`+path), "No space left on device", path)
		}
	}, "-P", logs[0], "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC")
	m.sh(`test -z "$(ls .paperfs/failed)"; cp "$HOME/one.pdf" papers/C/Spring.pdf; cmp "$HOME/one.pdf" papers/C/Spring.pdf`)
}
