package mounttest

import (
	"testing"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestReplacingAQueuedPDFOnAFullDisk checks that the close fails too if there is no room for a new
// PDF while the old one is queued, that the old one is sent and stays readable here, and that the
// next writer starts from it.
func TestReplacingAQueuedPDFOnAFullDisk(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	for name, c := range map[string]struct{ open, fails string }{
		"O_TRUNC":  {`os.O_WRONLY | os.O_TRUNC`, "openat"}, // the new spool: nothing of the queued content is copied
		"in place": {`os.O_WRONLY`, "renameat"},            // the copy of the queued content for the write
	} {
		t.Run(name, func(t *testing.T) {
			m := newMount(t, "--write-back")
			m.drops(t)
			m.unavailable(remote.ProcessPDF)
			m.sh(`mkdir papers/C/X.paper; cp "$HOME/two.pdf" papers/C/X.pdf`)
			m.strace(func() {
				m.sh(`python3 -c '
import errno, os
def refused(call, *args):
    try:
        call(*args)
    except OSError as e:
        assert e.errno == errno.ENOSPC, e
    else:
        raise SystemExit(call.__name__ + " succeeded")
try:
    f = os.open("papers/C/X.pdf", ` + c.open + `)
except OSError as e:
    assert e.errno == errno.ENOSPC, e
    raise SystemExit
refused(os.write, f, b"%PDF-1.4")
refused(os.write, f, b" more")
refused(os.close, os.dup(f))
refused(os.close, f)'`)
			}, "-e", "trace="+c.fails, "-e", "inject="+c.fails+":error=ENOSPC")
			m.sh(`cmp "$HOME/two.pdf" papers/C/X.pdf`)
			m.proxy.Heal()
			m.sh(`"$PAPERFS" retry .; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; cmp "$HOME/two.pdf" papers/C/X.pdf
				test -z "$(ls .paperfs/failed)"; cat "$HOME/one.pdf" >> papers/C/X.pdf; cat "$HOME/two.pdf" "$HOME/one.pdf" | cmp - papers/C/X.pdf`)
		})
	}
}
