package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestAppendingToAnEmptiedPDF checks that the next writer begins with nothing, after a program has emptied a queued
// or sent PDF, which alone changes nothing.
func TestAppendingToAnEmptiedPDF(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"queued", "sent", "any"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, "--write-back")
			m.drops(t)
			wait := ""
			switch state {
			case "queued":
				m.proxy.Freeze(remote.ProcessPDF)
			case "sent":
				wait = `"$PAPERFS" wait ../..;`
			}
			for range times(3, 50) {
				m.sh(`cd papers/C; cp "$HOME/two.pdf" W.pdf; ` + wait + `
					truncate -s 0 W.pdf
					until cmp -s "$HOME/two.pdf" W.pdf; do sleep .01; done
					cat "$HOME/one.pdf" >> W.pdf
					cmp "$HOME/one.pdf" W.pdf`)
			}
			m.proxy.Heal()
			m.sh(`set -e; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; cmp "$HOME/one.pdf" papers/C/W.pdf`)
		})
	}
}

// TestAPDFIsNotCut checks that a length alone, which would make a part of a PDF the paper's pages, is refused in words, by path and by
// descriptor, and changes nothing.
func TestAPDFIsNotCut(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.drops(t)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
	for _, way := range []string{`truncate -s 100 X.pdf`, `truncate -s 5000 X.paper/source.pdf`, `perl -e 'truncate("X.pdf", 9) or die $!'`} {
		assert.Empty(t, m.cost(`cd papers/C; ! `+way))
		assert.Contains(t, m.sh(`cmp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" why papers/C/X.pdf`), "write the whole PDF again", way)
	}
}
