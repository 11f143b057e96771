package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/testrun"
)

// processed mounts a paper of two pages whose job the mount knows to be finished.
func processed(t *testing.T) *mounted {
	m := newMount(t, "--document-ttl", "1h")
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/X.paper; ls papers/X.paper/pages; cp "$HOME/two.pdf" papers/X.paper/source.pdf; "$PAPERFS" wait papers/X.paper`)
	return m
}

func TestPagesAreListedOnceTheJobIsOver(t *testing.T) {
	t.Parallel()
	m := processed(t)
	m.proxy.Reset()
	assert.Equal(t, "001\n002", m.sh(`ls papers/X.paper/pages`))
	assert.Equal(t, "normal.jpg\ntext.txt\nthumb.jpg\nzoom.jpg", m.sh(`ls papers/X.paper/pages/002`))
	assert.Empty(t, m.asked(), "the mount read the structure when the job ended")

	m.forgetState()
	m.start()
	m.sh(`ls papers/X.paper`)
	assert.Empty(t, m.cost(`ls papers/X.paper/pages | wc -l | grep -qx 2`))
}

// TestACopyOfAPaperIsWhole checks that a recursive copy has all of a paper, even if the mount knew
// nothing of it.
func TestACopyOfAPaperIsWhole(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := processed(t)
	for _, copy := range []string{`cp -r papers/X.paper "$HOME/copy"`, `rsync -r papers/X.paper/ "$HOME/copy/"`} {
		m.forgetState()
		m.start()
		m.sh(copy + ` || test $? = 23 -o $? = 1`) // a source.pdf that this machine never sent cannot be read
		m.sh(`test "$(ls "$HOME/copy/pages")" = "$(printf '001\n002')" && test -s "$HOME/copy/pages/002/zoom.jpg" && rm -r "$HOME/copy"`)
	}
}

func TestTheSizeOfWhatWasReadIsKnown(t *testing.T) {
	t.Parallel()
	m := processed(t)
	files := `papers/X.paper/pages/001/zoom.jpg papers/X.paper/pages/001/text.txt papers/X.paper/structure.xml papers/X.paper/links.xml papers/X.paper/orders/all.xml`
	assert.Equal(t, "1\n1", m.sh(`stat -c %s papers/X.paper/pages/001/zoom.jpg papers/X.paper/pages/001/text.txt`), "the size of unread content is a placeholder")
	m.sh(`for f in ` + files + `; do test "$(cat $f | wc -c)" = "$(stat -c %s $f)" || { echo $f; exit 1; }; done`)
	assert.Empty(t, m.cost(`stat `+files))

	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`cp "$HOME/three.pdf" papers/X.paper/source.pdf; "$PAPERFS" wait papers/X.paper`)
	assert.Equal(t, "001\n002\n003", m.sh(`ls papers/X.paper/pages`))
	assert.Equal(t, "1\n1", m.sh(`stat -c %s papers/X.paper/pages/001/zoom.jpg papers/X.paper/pages/001/text.txt`), "new pages have a placeholder size again")
}
