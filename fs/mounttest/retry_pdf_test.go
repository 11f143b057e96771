package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestRetryTakesNoOlderPDF checks that a failed PDF does not replace one that was sent to its paper
// later; mv does.
func TestRetryTakesNoOlderPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir -p papers/A/X.paper`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/two.pdf" papers/A/X.paper/source.pdf`)
	m.eventually(`test -e .paperfs/failed/source.pdf`)
	m.proxy.Heal()
	m.sh(`cp "$HOME/three.pdf" papers/A/X.paper/source.pdf`)
	for range 2 {
		for _, what := range []string{"papers/A/X.paper/source.pdf", ".paperfs/failed"} {
			assert.Contains(t, m.fails(`"$PAPERFS" retry `+what), "has changed since this content failed")
		}
		m.sh(`"$PAPERFS" wait papers/A/X.paper && cmp "$HOME/three.pdf" papers/A/X.paper/source.pdf`)
		m.crash()
		m.start()
	}
	m.sh(`mv .paperfs/failed/source.pdf papers/A/X.paper/source.pdf && cmp "$HOME/two.pdf" papers/A/X.paper/source.pdf`)
}

// TestRetryTakesNoOtherPaper checks that retry does not send a PDF to another paper of the same
// name, which a colleague has created since, or which replaced a deleted one.
func TestRetryTakesNoOtherPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.drops(t)
	category := m.idOf("papers/C")
	m.refuse(remote.CreatePaper, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.proxy.Heal()
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/two.pdf" papers/C/Y.pdf`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 2`)
	m.proxy.Heal()
	m.colleague(t, category)
	m.sh(`set -e; rmdir papers/C/Y.paper; mkdir papers/C/Y.paper; echo > .paperfs/refresh`)
	m.eventually(`test -d papers/C/X.paper`)
	m.proxy.Reset()
	for what, says := range map[string]string{"papers/C/X.pdf": "so it is not replaced", "papers/C/X.paper/source.pdf": "so it is not replaced",
		"papers/C/Y.pdf": "not here any more", ".paperfs/failed": "so it is not replaced"} {
		assert.Contains(t, m.fails(`"$PAPERFS" retry `+what), says, what)
	}
	assert.Zero(t, m.proxy.Count(remote.ProcessPDF))
	m.sh(`set -e; mv .paperfs/failed/X.pdf papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; test ! -e papers/C/X.paper/pages/003`)
}
