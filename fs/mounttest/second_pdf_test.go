package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestASecondPDFWaitsForTheFirst checks that the close of a PDF succeeds without a wait while the service
// makes the pages of the one before, that the mount shows it and sends it once that has ended, also the one that a rename brings.
func TestASecondPDFWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.drops(t)
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
	for _, way := range []string{`cp "$HOME/%.pdf" papers/C/X.paper/source.pdf`, `cp "$HOME/%.pdf" papers/C/.t; mv papers/C/.t papers/C/X.pdf`} {
		m.refuse(remote.ProcessPDF, `<result><code>`+string(remote.AlreadyBeingProcessed)+`</code></result>`)
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(strings.Replace(way, "%", "two", 1)))
		m.sh(`set -e; cmp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" status . | grep -q X.p`)
		m.sh(strings.Replace(way, "%", "three", 1) + `; cmp "$HOME/three.pdf" papers/C/X.paper/source.pdf`)
		m.proxy.Heal()
		m.sh(`set -e; "$PAPERFS" retry .; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -d papers/C/X.paper/pages/003; test -z "$(ls .paperfs/failed)"; cmp "$HOME/three.pdf" papers/C/X.pdf`)
	}
}
