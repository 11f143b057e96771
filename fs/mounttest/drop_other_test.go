package mounttest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAPDFOfAnotherNamePutIntoAPaper checks that the PDF becomes the paper's source.pdf, and that a
// second one with another name does not replace it.
func TestAPDFOfAnotherNamePutIntoAPaper(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"gio", "rsync"} {
		testrun.Program(t, tool)
	}
	m := newMount(t)
	m.takePDFs()
	m.put("a.pdf", pdfOf(t, 2, 0))
	m.put("b.pdf", pdfOf(t, 3, 0))
	ways := []string{
		`cp "$HOME/a.pdf" .`, `cp "$HOME/a.pdf" A.PDF`, `install "$HOME/a.pdf" .`, `cat "$HOME/a.pdf" > a.pdf`, `cp "$HOME/a.pdf" "$HOME/moved.pdf"; mv "$HOME/moved.pdf" .`,
		`GIO_USE_VFS=local gio copy "$HOME/a.pdf" a.pdf`, `rsync -a "$HOME/a.pdf" .`, `rsync -a --delay-updates "$HOME/a.pdf" .`, `cp "$HOME/a.pdf" x.part; mv x.part a.pdf`,
	}
	for i, way := range ways {
		in := fmt.Sprintf("cd papers/X%d.paper; ", i)
		m.sh(fmt.Sprintf("mkdir papers/X%d.paper; ", i) + in + `test ! -e a.pdf`)
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(in+way), way)
		m.sh(in + `cmp "$HOME/a.pdf" source.pdf; cmp "$HOME/a.pdf" ../X` + fmt.Sprint(i) + `.pdf; test -z "$(ls -A | grep -v source.pdf | grep -i pdf)"`)
		assert.Contains(t, m.fails(in+`cp "$HOME/b.pdf" .`), "File exists", way)
		assert.Contains(t, m.fails(in+`rsync -a "$HOME/b.pdf" .`), "File exists", way)
		m.sh(in + `cmp "$HOME/a.pdf" source.pdf; test ! -e b.pdf; test -z "$(ls ../../.paperfs/failed)"`)
	}
	m.sh(`cd papers/X6.paper; cmp "$HOME/a.pdf" a.pdf`)
	assert.Empty(t, m.cost(`rsync -a "$HOME/a.pdf" papers/X6.paper/`))
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`cp "$HOME/b.pdf" papers/X0.paper/source.pdf; cmp "$HOME/b.pdf" papers/X0.paper/a.pdf`))
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`cd papers/X1.paper; rm A.PDF; test ! -e A.PDF; cp "$HOME/b.pdf" .; cmp "$HOME/b.pdf" source.pdf`))

	m.sh(`mkdir papers/Y.paper papers/W.paper`)
	m.proxy.Heal()
	m.refuse(remote.ProcessPDF, `<result><code>READONLY</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/b.pdf" papers/Y.paper/`)
	m.eventually(`test ! -e papers/Y.paper/b.pdf -a -e .paperfs/failed/source.pdf`)
	m.fails(`cp "$HOME/b.pdf" papers/W.paper/`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 2`)
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry papers/W.paper/source.pdf; cmp "$HOME/b.pdf" papers/W.paper/source.pdf`)
	m.sh(`cp "$HOME/a.pdf" papers/Y.paper/; cmp "$HOME/a.pdf" papers/Y.paper/source.pdf`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	defer release()
	m.sh(`mkdir papers/Z.paper`)
	m.proxy.Reset()
	m.killed("TERM", `cp "$HOME/a.pdf" papers/Z.paper/`, remote.ProcessPDF)
	assert.Contains(t, m.fails(`cp "$HOME/b.pdf" papers/Z.paper/`), "File exists")
	release()
	m.eventually(`cmp "$HOME/a.pdf" papers/Z.paper/source.pdf 2> /dev/null`)
}

// TestEmptyingACategoryDeletesNoPaper checks that programs that empty a category delete no
// paper, even if the mount may delete.
func TestEmptyingACategoryDeletesNoPaper(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t, "--allow-delete")
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C "$HOME/F"; cp "$HOME/Spring.pdf" "$HOME/F/Other.pdf"; cp "$HOME/Spring.pdf" papers/C/`)
	for _, script := range []string{
		`rm -rf papers/C/Spring.paper`, `rm -rf papers/C`, `rm -r papers/C/* < /dev/null`, `rmdir papers/C`,
		`rsync -a --delete "$HOME/F/" papers/C/`, `rsync -a --delete --force --ignore-errors --delete-before "$HOME/F/" papers/C/`, `rsync -a --delete "$HOME/F/" papers/`,
	} {
		out, _ := m.run("bash", script) // some programs report success anyway
		_, gone := m.run("bash", `test -d papers/C/Spring.paper`)
		assert.NoError(t, gone, "%s: %s", script, out)
		assert.Equal(t, 0, m.proxy.Count(remote.DeletePaper), "%s: %s", script, out)
	}
	assert.Empty(t, m.sh(`rm -f papers/C/Spring.pdf; ls .paperfs/failed`))
	m.remount("--allow-delete")
	m.sh(`cmp "$HOME/Spring.pdf" papers/C/Spring.pdf; test -d papers/C/Other.paper; rmdir papers/C/Spring.paper; test ! -e papers/C/Spring.paper -a ! -e papers/C/Spring.pdf`)
	assert.Equal(t, 1, m.proxy.Count(remote.DeletePaper))
}

// TestADirectoryWithATemporaryFileIsNotRemoved checks that rmdir refuses such a directory: the file
// exists nowhere else.
func TestADirectoryWithATemporaryFileIsNotRemoved(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/E papers/P.paper`)
	for _, dir := range []string{"papers/E", "papers/P.paper"} {
		m.sh(`echo part > ` + dir + `/x.pdf.part`)
		m.proxy.Reset()
		assert.Contains(t, m.fails(`rmdir `+dir), "not empty")
		assert.Empty(t, m.asked())
		m.sh(`test "$(cat ` + dir + `/x.pdf.part)" = part; "$PAPERFS" why ` + dir + ` | grep -F x.pdf.part; rm ` + dir + `/x.pdf.part; rmdir ` + dir)
	}
}

// TestAMoveFromMediaToPapersSaysCp checks that the message says to use cp, and that both files
// stay.
func TestAMoveFromMediaToPapersSaysCp(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C papers/C/X.paper; cp "$HOME/Spring.pdf" media/; cp "$HOME/Spring.pdf" media/x.part`)
	for _, script := range []string{`mv media/Spring.pdf papers/C/`, `mv media/x.part papers/C/Spring.pdf`, `mv media/Spring.pdf papers/C/X.paper/source.pdf`} {
		assert.Contains(t, m.fails(script), "not supported", script)
	}
	assert.Contains(t, m.sh(`"$PAPERFS" why media/Spring.pdf`), "copy it with cp")
	m.sh(`cmp "$HOME/Spring.pdf" media/Spring.pdf; cmp "$HOME/Spring.pdf" media/x.part; test "$(ls papers/C)" = X.paper; cp media/Spring.pdf papers/C/; cmp "$HOME/Spring.pdf" papers/C/Spring.pdf`)
}
