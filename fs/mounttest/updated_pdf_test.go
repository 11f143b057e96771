package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/testrun"
)

// TestAPDFThatAProgramOpensToUpdateIt checks that the PDF has its whole length until the first
// write, so that a program can append to it, and that other readers get all of it in the meantime.
func TestAPDFThatAProgramOpensToUpdateIt(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/A; cp "$HOME/Spring.pdf" papers/A; "$PAPERFS" wait papers/A/Spring.paper; mkdir "$HOME/out"`)
	m.sh(`cd papers/A/Spring.paper; exec 3<>source.pdf
		rsync -a source.pdf "$HOME/out/rsync.pdf"; cmp "$HOME/Spring.pdf" "$HOME/out/rsync.pdf"
		tar cf - source.pdf | tar xf - -C "$HOME/out"; cmp "$HOME/Spring.pdf" "$HOME/out/source.pdf"
		cmp ../Spring.pdf "$HOME/Spring.pdf"`)
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`python3 -c '
f = open("papers/A/Spring.pdf", "r+b")
f.seek(0, 2)
f.write(b"%% added\n")
f.close()'`))
	m.sh(`{ cat "$HOME/Spring.pdf"; echo "%% added"; } | cmp - papers/A/Spring.pdf`)
}
