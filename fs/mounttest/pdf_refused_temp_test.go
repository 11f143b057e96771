package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestAPDFThatWasRefusedWithATemporaryName checks that, after the next mount, the PDF is in failed/
// under its intended name with the service's reason, and that why and retry find its paper.
func TestAPDFThatWasRefusedWithATemporaryName(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"--write-back"}} {
		m := newMount(t, flags...)
		m.drops(t)
		m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
		m.sh(`cd papers/C; mkdir Y.paper; cp "$HOME/two.pdf" X.pdf.part; mv X.pdf.part X.pdf || :; cp "$HOME/two.pdf" Y.paper/any.part; mv Y.paper/any.part Y.paper/source.pdf || :`)
		if flags != nil {
			m.eventually(`test -e .paperfs/failed/X.pdf; test -e .paperfs/failed/source.pdf`)
		}
		m.remount(flags...)
		m.eventually(`test -d papers/C/Y.paper`)
		m.sh(`set -e; cmp "$HOME/two.pdf" .paperfs/failed/X.pdf; cmp "$HOME/two.pdf" .paperfs/failed/source.pdf`)
		for _, place := range []string{"X.pdf", "X.paper/source.pdf", "Y.pdf", "Y.paper/source.pdf"} {
			assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/`+place), "No room", place)
		}
		m.proxy.Heal()
		m.sh(`set -e; "$PAPERFS" retry .paperfs/failed; for p in X Y; do "$PAPERFS" wait papers/C/$p.paper; cmp "$HOME/two.pdf" papers/C/$p.pdf; done; test -z "$(ls .paperfs/failed)"`)
	}
}

// TestTwoPDFsThatWereRefusedForOnePaper checks that both PDFs are in failed/ after the next mount,
// and that retry sends the newer one.
func TestTwoPDFsThatWereRefusedForOnePaper(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("new.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/C/Y.paper`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.sh(`cd papers/C/Y.paper; for f in one new; do cp "$HOME/$f.pdf" $f.part; ! mv $f.part source.pdf || exit 1; done`)
	m.remount()
	m.sh(`cmp "$HOME/new.pdf" .paperfs/failed/source.pdf; cmp "$HOME/one.pdf" ".paperfs/failed/source.pdf (older)"`)
	m.proxy.Heal()
	assert.Contains(t, m.fails(`"$PAPERFS" retry .paperfs/failed`), "has changed since this content failed")
	m.sh(`"$PAPERFS" wait papers/C/Y.paper; cmp "$HOME/new.pdf" papers/C/Y.paper/source.pdf; cmp "$HOME/one.pdf" ".paperfs/failed/source.pdf (older)"`)
}

// TestTwoPDFsForOnePaperOutliveAKill checks that the refused PDF and the half-written one are in
// failed/ after the next two mounts, and that the newer one has the name.
func TestTwoPDFsForOnePaperOutliveAKill(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("new.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/C/Y.paper`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.sh(`cd papers/C/Y.paper; for f in one new; do cp "$HOME/$f.pdf" $f.part; ! mv $f.part source.pdf || exit 1; done
		mkfifo "$HOME/go"; { exec 3> source.pdf; printf half >&3; read <> "$HOME/go"; } > /dev/null 2>&1 &
		until test "$(stat -c %s source.pdf)" = 4; do sleep 0.02; done; kill -KILL ` + m.pid())
	<-m.exited
	m.detach()
	m.start()
	for range 2 {
		assert.Equal(t, "half", m.sh(`cat .paperfs/failed/source.pdf`))
		m.sh(`cmp "$HOME/new.pdf" ".paperfs/failed/source.pdf (older)"; cmp "$HOME/one.pdf" ".paperfs/failed/source.pdf (older) (older)"`)
		m.crash()
		m.start()
	}
}
