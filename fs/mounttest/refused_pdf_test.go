package mounttest

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestTheCloseBehindARefusedWriteOfAPDF checks that the close fails too, even if nothing was
// written before: a program that checks only its close must not believe that the PDF was sent.
func TestTheCloseBehindARefusedWriteOfAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	for _, flags := range [][]string{nil, {"--write-back"}} {
		m := newMount(t, flags...)
		m.put("one.pdf", pdfOf(t, 1, 0))
		m.put("write.py", []byte(`import os, sys
f = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
try: os.write(f, b"%PDF-")
except OSError as e: print("write:", e.strerror)
try: os.close(f)
except OSError as e: print("close:", e.strerror)
`))
		m.sh(`mkdir papers/C; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper`)
		logs := testrun.Must(filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "state.db-wal")))(t)
		require.Len(t, logs, 1)
		m.proxy.Reset()
		m.strace(func() {
			for _, path := range []string{"New.pdf", "X.pdf", "X.paper/source.pdf", "X.paper/other.pdf"} {
				assert.Equal(t, "write: No space left on device\nclose: No space left on device", m.sh(`cd papers/C; python3 "$HOME/write.py" `+path), path)
			}
		}, "-P", logs[0], "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC")
		assert.Empty(t, m.asked())
		m.eventually(`cmp "$HOME/one.pdf" papers/C/X.pdf 2> /dev/null`) // the release comes after the close
		m.sh(`test "$(ls papers/C)" = X.paper; test -z "$(ls .paperfs/failed)"; cp "$HOME/one.pdf" papers/C/New.pdf`)
	}
}
