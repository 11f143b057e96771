package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestACopyOfAPaperMakesNone checks that neither cp -r of a paper, or of a category with papers, nor
// mv of a directory that is called like a paper leaves an empty paper, that why says what to do
// instead, and that this works.
func TestACopyOfAPaperMakesNone(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`mkdir papers/C papers/D; cp "$HOME/one.pdf" papers/C/A.pdf; "$PAPERFS" wait papers/C/A.paper; mkdir "$HOME/Old.paper"; cp "$HOME/one.pdf" "$HOME/Old.paper/source.pdf"`)
	m.fails(`cp -r papers/C/A.paper "papers/C/B b.paper"`)
	m.fails(`cp -a papers/C papers/Copy`)
	m.fails(`mv "$HOME/Old.paper" papers/D/`)
	assert.Equal(t, "papers/C/A.paper", m.sh(`find papers -name '*.paper'`))
	m.sh(`test -f "$HOME/Old.paper/source.pdf"`)
	assert.Regexp(t, `mkdir /papers/C/B b.paper failed with EOPNOTSUPP: .* run: cp FROM.paper/source.pdf 'papers/C/B b.pdf'$`, m.sh(`"$PAPERFS" why "papers/C/B b.paper"`))
	m.sh(`cp papers/C/A.paper/source.pdf "papers/C/B b.pdf"; "$PAPERFS" wait "papers/C/B b.paper"; ls "papers/C/B b.paper/pages/001"`)
	m.sh(`mkdir papers/E.paper; cp -rT papers/C/A.paper papers/E.paper 2> /dev/null || :; "$PAPERFS" wait papers/E.paper; test -d papers/E.paper/pages/001`)
}
