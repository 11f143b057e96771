package mounttest

import (
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
