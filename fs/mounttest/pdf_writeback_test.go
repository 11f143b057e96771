package mounttest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
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

// TestKillsOfQueuedPDFs checks that PDFs dropped with --write-back are each on the service once,
// although mounts are killed in between.
func TestKillsOfQueuedPDFs(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	count, kills := 4, 2
	if testrun.All() {
		count, kills = 12, 4
	}
	m := newMount(t, "--write-back")
	m.sh(`mkdir "$HOME/F" papers/F`)
	for i := range count {
		m.put(fmt.Sprintf("F/%d.pdf", i), pdfOf(t, 1, 2000+i))
	}
	m.sh(`rsync -a "$HOME/F" papers/`)
	for range kills {
		m.crash()
		m.start("--write-back")
		m.eventually(`test -d papers/F`) // the first tree shown is a saved one
		m.sh(`rsync -a "$HOME/F" papers/`)
	}
	m.sh(`"$PAPERFS" wait .; for p in papers/F/*.paper; do "$PAPERFS" wait $p; done`)
	m.sh(fmt.Sprintf(`set -e; test "$(ls papers/F | wc -l)" = %d; test -z "$(ls .paperfs/failed)"; for i in $(seq 0 %d); do cmp "$HOME/F/$i.pdf" papers/F/$i.pdf; test -e papers/F/$i.paper/pages/001; done`, count, count-1))
	assert.Empty(t, m.cost(`rsync -a "$HOME/F" papers/`))
}

// TestQueuedPDFsThatAreRefused checks that refused PDFs are in failed/ and reported, even after a
// discard, which does not affect content written in the meantime.
func TestQueuedPDFsThatAreRefused(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/C`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/X.pdf`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.pdf`), "No room")
	m.fails(`"$PAPERFS" wait .`)
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry papers/C/X.pdf; cmp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)

	release := m.proxy.Freeze(remote.ProcessPDF)
	m.sh(`set -e; exec 3> papers/C/Y.pdf; cat "$HOME/two.pdf" >&3; exec 3>&-; exec 4>> papers/C/Y.pdf; echo "% more" | cat >&4
		"$PAPERFS" discard papers/C/Y.pdf; cmp "$HOME/two.pdf" .paperfs/failed/Y.pdf; exec 4>&-
		{ cat "$HOME/two.pdf"; echo "% more"; } | cmp - papers/C/Y.pdf`)
	release()
	m.eventually(`test -e papers/C/Y.paper`)
	m.sh(`{ cat "$HOME/two.pdf"; echo "% more"; } | cmp - papers/C/Y.pdf`)
}

// TestAKilledMountWhileAQueuedPDFIsWritten checks that the queued content is sent, and that the
// newer content is in failed/.
func TestAKilledMountWhileAQueuedPDFIsWritten(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.put("two.pdf", pdfOf(t, 2, 0))
	release := m.proxy.Freeze(remote.ProcessPDF)
	m.sh(`mkdir papers/C; cp "$HOME/two.pdf" papers/C/X.pdf; mkfifo "$HOME/go"
		{ exec 3>> papers/C/X.pdf; echo "% more" | cat >&3; read <> "$HOME/go"; } > /dev/null 2>&1 &
		until tail -n 1 papers/C/X.pdf | grep -q more; do sleep 0.02; done; kill -KILL ` + m.pid())
	<-m.exited
	m.detach()
	m.start("--write-back")
	m.eventually(`test -d papers/C`)
	m.sh(`cmp "$HOME/two.pdf" papers/C/X.pdf; { cat "$HOME/two.pdf"; echo "% more"; } | cmp - .paperfs/failed/X.pdf`)
	release()
	m.eventually(`test -e papers/C/X.paper`)
	m.sh(`"$PAPERFS" discard papers/C/X.pdf; "$PAPERFS" wait .; cmp "$HOME/two.pdf" papers/C/X.pdf`)
}
