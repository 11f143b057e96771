package fs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestAKilledTruncationIsUndone: a program that is killed between its open and its first write
// has emptied nothing, and one that ends well leaves what it has emptied.
func TestAKilledTruncationIsUndone(t *testing.T) {
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`cp "$HOME/two.pdf" "$HOME/more.pdf"; echo "% more" >> "$HOME/more.pdf"`)
	for _, name := range []string{"C/X.pdf", "C/X.paper/source.pdf"} {
		m.sh(`set -e; cd papers; mkdir -p C; cp "$HOME/two.pdf" C/X.pdf; "$PAPERFS" wait C/X.paper`)
		m.fails(`cd papers; exec 3> ` + name + `; kill -KILL $$`)
		m.sh(`set -e; cd papers; echo "% more" >> ` + name + `; cmp "$HOME/more.pdf" ` + name + `; "$PAPERFS" wait C/X.paper`)

		m.sh(`set -e; cd papers; cp "$HOME/more.pdf" C/X.pdf; "$PAPERFS" wait C/X.paper; truncate -s $(stat -c %s "$HOME/two.pdf") ` + name)
		m.fails(`cd papers; exec 3> ` + name + `; kill -KILL $$`)
		m.sh(`set -e; cd papers; echo "% more" >> ` + name + `; cmp "$HOME/more.pdf" ` + name + `; "$PAPERFS" wait C/X.paper`)
	}
	m.sh(`set -e; cd papers; : > C/X.pdf; cat "$HOME/two.pdf" >> C/X.pdf; cmp "$HOME/two.pdf" C/X.pdf; test -z "$(ls ../.paperfs/failed)"`)
}

// TestAMoveOutOfFailedOverAWriter: who has written to the PDF that it replaces goes on with
// what was replaced, as after any rename.
func TestAMoveOutOfFailedOverAWriter(t *testing.T) {
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
		m.sh(`mkdir -p papers/C/X.paper`)
		m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
		m.fails(`cp "$HOME/two.pdf" papers/C/` + name)
		m.eventually(`test -n "$(ls .paperfs/failed)"`)
		m.proxy.Heal()
		m.proxy.Reset()
		m.sh(`exec 3> papers/C/` + name + `; head -c 200 "$HOME/three.pdf" >&3
			mv .paperfs/failed/*.pdf papers/C/` + name + `; "$PAPERFS" wait papers/C/X.paper
			tail -c +201 "$HOME/three.pdf" >&3; exec 3>&-; cmp "$HOME/two.pdf" papers/C/` + name)
		assert.Equal(t, 1, m.proxy.Count(remote.ProcessPDF), name)
		m.sh(`test -z "$(ls .paperfs/failed)"`)
	}
}

// TestAPDFIsNotRenamed: the service cannot, and the words say what to do.
func TestAPDFIsNotRenamed(t *testing.T) {
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C papers/D; cd papers/C; cp "$HOME/two.pdf" X.pdf; "$PAPERFS" wait X.paper`)
	m.proxy.Reset()
	for _, to := range []string{"Y.pdf", "../D/X.pdf", "X.paper/source.pdf", "../../media/X.pdf", "X.part"} {
		assert.Contains(t, m.fails(`cd papers/C; mv X.pdf `+to), "not supported", to)
		assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.pdf`), "cp X.pdf", to)
	}
	assert.Contains(t, m.fails(`cd papers/C; mv X.paper/source.pdf Y.pdf`), "not supported")
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.paper/source.pdf`), "cp source.pdf")
	assert.Zero(t, m.proxy.Count(remote.ProcessPDF)+m.proxy.Count(remote.UploadFile))
	m.sh(`set -e; cd papers/C; cmp "$HOME/two.pdf" X.pdf; exec 3> N.pdf; ! mv N.pdf M.pdf`)
}
