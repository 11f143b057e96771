package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestTheEndOfAJobIsNoticed checks that a list of pages that was empty before the PDF was sent has
// its pages once the job has ended, though no program asks for the job.
func TestTheEndOfAJobIsNoticed(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--document-ttl", "1h")
	m.put("two.pdf", pdfOf(t, 2, 0))
	assert.Empty(t, m.sh(`mkdir papers/X.paper; ls papers/X.paper/pages`))
	m.sh(`cp "$HOME/two.pdf" papers/X.paper/source.pdf; ls papers/X.paper/pages`)
	m.eventually(`test "$(ls papers/X.paper/pages | wc -l)" = 2`)
	assert.Less(t, m.proxy.Count(remote.GetProcessingStatus), 20)
}

// TestWhyAPaperHasNoPages checks that `paperfs why` of a paper, of its PDF and of the PDF beside it
// says that the service could not process the PDF, though no program asked for the job, and that
// `paperfs stat` says it too.
func TestWhyAPaperHasNoPages(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	require.Empty(t, m.sh(`mkdir papers/X.paper; printf '%%PDF-1.4 damaged' > papers/X.paper/source.pdf`))
	for _, path := range []string{"X.paper", "X.paper/source.pdf", "X.pdf"} {
		m.eventually(`"$PAPERFS" why papers/` + path + ` | grep -q "could not make pages"`)
	}
	assert.Contains(t, m.sh(`"$PAPERFS" stat papers/X.paper`), "could not make pages")
	m.eventually(`test "$(grep -c "could not make pages from the PDF" .paperfs/errors)" = 1`)
}
