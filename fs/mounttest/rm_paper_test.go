package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWhyRmDeletesNoPaper checks that, after rm -r of a paper, why of each of its files names the
// rmdir that deletes the paper, and that this works.
func TestWhyRmDeletesNoPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/A "papers/A/X y.paper"; ls papers/A/X*/settings`)
	m.fails(`rm -r "papers/A/X y.paper"`)
	for _, name := range []string{"id", "structure.xml", "settings/$(ls papers/A/X*/settings | head -1)"} {
		assert.Contains(t, m.sh(`"$PAPERFS" why "papers/A/X y.paper/`+name+`"`), "run: rmdir 'papers/A/X y.paper'", name)
	}
	assert.Regexp(t, `run: rmdir 'papers/A/X y.paper'$`, m.sh(`"$PAPERFS" why "papers/A/X y.paper"`))
	m.sh(`rmdir 'papers/A/X y.paper'; test -z "$(ls papers/A)"`)
}

// TestRmRIsOneFailureAPaper checks that rm -r of papers, which asks to remove each of their files, is one line of the log
// and one entry of errors a paper, also with two at once.
func TestRmRIsOneFailureAPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/A papers/A/X.paper papers/A/Y.paper; ls -R papers > /dev/null`)
	m.fails(`rm -r papers/A/X.paper & rm -r papers/A/Y.paper; wait $!`)
	for _, paper := range []string{"X", "Y"} {
		told := m.sh(`grep " papers/A/` + paper + `.paper" .paperfs/errors`)
		assert.Equal(t, 1, strings.Count(told, "\n")+1, told)
		assert.Contains(t, told, "run: rmdir papers/A/"+paper+".paper")
		assert.Equal(t, 1, strings.Count(m.stderr.String(), "path=papers/A/"+paper+".paper"), "lines of the log")
	}
	assert.Equal(t, "2", m.sh(`wc -l < .paperfs/errors`))
}
