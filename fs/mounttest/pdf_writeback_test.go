package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestWriteBackOfPDFs checks that a close returns once the PDF is durable locally. Its name shows
// that PDF, which stat calls pending, and it is sent in the background. A kill loses nothing, and a PDF saved again before
// its job has ended is sent afterwards.
func TestWriteBackOfPDFs(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir -p papers/C/X.paper papers/C/Z.paper`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	closed := `set -e; cd papers/C; cmp "$HOME/three.pdf" X.pdf; for f in A.pdf X.paper/source.pdf Z.paper/any.pdf P.pdf; do case $f in
		X*) cmp "$HOME/three.pdf" $f;; *any*) ;; *) cmp "$HOME/two.pdf" $f;; esac; done; test "$(stat -c %Y A.pdf)" = 1000000000`
	m.sh(`set -e; cd papers/C; cp "$HOME/two.pdf" X.pdf; cp "$HOME/three.pdf" X.paper/source.pdf; cp "$HOME/two.pdf" Z.paper/any.pdf
		touch -d @1000000000 "$HOME/two.pdf"; cp -p "$HOME/two.pdf" A.pdf; cp "$HOME/two.pdf" P.pdf.part; mv P.pdf.part P.pdf; test ! -e P.pdf.part
		cp "$HOME/two.pdf" R.pdf; rm R.pdf; test ! -e R.pdf`)
	m.sh(closed)
	const states = `for f in A.pdf P.pdf X.pdf X.paper/source.pdf; do "$PAPERFS" stat papers/C/$f | grep -E 'state|error|sha256'; done | sort | uniq -c`
	assert.Regexp(t, `^ *4 state: +pending$`, m.sh(states))
	assert.Contains(t, m.sh(`cat .paperfs/uploads`), `papers/C/X.pdf"`)
	assert.Contains(t, m.fails(`cd papers/C; echo no > N.pdf; cp README.txt N.pdf`), "README")
	assert.Contains(t, m.fails(`cp README.txt papers/C/N.pdf`), "Invalid argument")
	m.sh(`"$PAPERFS" discard papers/C/N.pdf || :; rm -f .paperfs/failed/*`)
	m.crash()
	m.start("--write-back")
	m.eventually(`test -d papers/C/Z.paper`) // the first tree shown is a saved one
	m.sh(closed)
	release()
	m.sh(`"$PAPERFS" wait .; for p in papers/C/*.paper; do "$PAPERFS" wait $p; done`)
	m.sh(closed)
	assert.Regexp(t, `4 state: +published`, m.sh(states))
	m.sh(`set -e; cd papers/C; test "$(echo *)" = "A.paper P.paper X.paper Z.paper"; test -d X.paper/pages/003; test -d A.paper/pages/002; test -d Z.paper/pages/002; test -d P.paper/pages/002
		test -z "$(ls ../../.paperfs/failed)"`)
	m.proxy.Reset()
	m.sh(`set -e; cd papers/C; cp "$HOME/three.pdf" A.pdf; cp "$HOME/two.pdf" A.pdf; cp "$HOME/three.pdf" P.pdf; "$PAPERFS" wait ../..; "$PAPERFS" wait P.paper`)
	m.sh(`set -e; cd papers/C; cmp "$HOME/two.pdf" A.pdf; "$PAPERFS" wait A.paper; test ! -e A.paper/pages/003; test -e P.paper/pages/003; test -z "$(ls ../../.paperfs/failed)"`)
}
