package mounttest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAPDFByATemporaryName checks programs that write to a temporary name: the rename creates the
// paper, or gives the PDF to an existing one.
func TestAPDFByATemporaryName(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"gio", "rsync", "python3", "vim"} {
		testrun.Program(t, tool)
	}
	m := newMount(t)
	taken := m.takePDFs()
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`touch -d 2020-02-02 "$HOME/Spring.pdf"`)
	ways := []string{
		`rsync -a --ignore-times "$HOME/Spring.pdf" .`,
		`cp "$HOME/Spring.pdf" Spring.pdf.part; mv Spring.pdf.part Spring.pdf`,
		`cp "$HOME/Spring.pdf" .x; mv .x Spring.pdf.crdownload; mv Spring.pdf.crdownload Spring.pdf`,
		`: > Spring.pdf; cp "$HOME/Spring.pdf" aBcD.pdf.part; mv aBcD.pdf.part Spring.pdf`,
		`python3 -c 'import os, tempfile
f = tempfile.NamedTemporaryFile(dir=".", delete=False)
f.write(open(os.environ["HOME"] + "/Spring.pdf", "rb").read()); f.flush(); os.fsync(f.fileno()); f.close(); os.rename(f.name, "Spring.pdf")'`,
		`GIO_USE_VFS=local gio save Spring.pdf < "$HOME/Spring.pdf"`,
	}
	for i, way := range ways {
		in := fmt.Sprintf("cd papers/C%d; ", i)
		m.sh(fmt.Sprintf("mkdir papers/C%d; ", i) + in + `ls; test ! -e Spring.paper -a ! -e Spring.pdf`)
		assert.Equal(t, []string{"CreatePaper", "ProcessPDF"}, m.cost(in+way), way)
		assert.True(t, bytes.Equal(m.here("Spring.pdf"), taken()), "%s: the service gets other content", way)
		assert.Equal(t, "Spring.paper", m.sh(in+`ls -A`), way)
		m.sh(in + `for f in Spring.pdf Spring.PDF Spring.paper/source.pdf; do cmp "$HOME/Spring.pdf" $f; done`)
		assert.Empty(t, m.sh(`ls .paperfs/failed`), way)
	}
	for i, way := range ways {
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(fmt.Sprintf("cd papers/C%d; ", i)+way), "the second time: %s", way)
	}
	m.proxy.Heal()
	m.sh(`cd papers/C1; ` + ways[1] + `; "$PAPERFS" wait Spring.paper; test -d Spring.paper/pages/002`)
	m.sh(`test "$(date -r papers/C0/Spring.pdf +%F)" = 2020-02-02`)
	assert.Empty(t, m.cost(`rsync -a "$HOME/Spring.pdf" papers/C0/`))
	m.remount()
	m.waitForRequest(remote.GetAllPapers) // the new mount's first request in the background
	assert.Empty(t, m.cost(`rsync -a "$HOME/Spring.pdf" papers/C0/`))
}

// TestSourcePDFByATemporaryName checks the same in the paper's own directory, and from next to it.
func TestSourcePDFByATemporaryName(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.takePDFs()
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	for i, way := range []string{
		`rsync -a "$HOME/Spring.pdf" X.paper/source.pdf`,
		`cp "$HOME/Spring.pdf" X.paper/.x; mv X.paper/.x X.paper/source.pdf`,
		`cp "$HOME/Spring.pdf" x.part; mv x.part X.paper/source.pdf`,
		`cp "$HOME/Spring.pdf" X.paper/x.part; mv X.paper/x.part X.pdf`,
	} {
		in := fmt.Sprintf("cd papers/C%d; ", i)
		m.sh(fmt.Sprintf("mkdir papers/C%d papers/C%[1]d/X.paper", i))
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(in+way), way)
		m.sh(in + `for f in X.pdf X.paper/source.pdf; do cmp "$HOME/Spring.pdf" $f; done; test ! -e x.part -a ! -e X.paper/x.part`)
		assert.Equal(t, "X.paper", m.sh(in+`ls -A`))
	}
	assert.Empty(t, m.cost(`rsync -a "$HOME/Spring.pdf" papers/C0/X.paper/source.pdf`))
}

// TestVimSavesAPDF saves one next to its paper, byte for byte, with each kind of backup.
func TestVimSavesAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "vim")
	m := newMount(t)
	m.takePDFs()
	m.put("X.pdf", pdfOf(t, 2, 0))
	for i, backup := range []string{"yes", "no", "auto"} {
		in := fmt.Sprintf("cd papers/C%d; ", i)
		m.sh(fmt.Sprintf("mkdir papers/C%d; ", i) + in + `cp "$HOME/X.pdf" .`)
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(in+`vim -b -N -u NONE -es -c 'set writebackup backupcopy=`+backup+`' -c 'normal Go% more' -c wq X.pdf`), backup)
		m.sh(in + `grep -aq '^% more' X.pdf; head -c 100 X.pdf | cmp -n 100 - "$HOME/X.pdf"; test "$(ls -A)" = X.paper; test ! -e X.pdf~ -a ! -e .X.pdf.swp`)
	}
}

// TestAFolderOfPDFs copies a folder with rsync, twice, and then with one changed PDF.
func TestAFolderOfPDFs(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.put("a.pdf", pdfOf(t, 1, 0))
	m.put("b.pdf", pdfOf(t, 2, 0))
	m.sh(`ls papers; mkdir -p "$HOME/F/sub"; mv "$HOME/a.pdf" "$HOME/F/"; mv "$HOME/b.pdf" "$HOME/F/sub/"`)
	assert.ElementsMatch(t, []string{"CreateCategory", "CreateCategory", "CreatePaper", "ProcessPDF", "CreatePaper", "ProcessPDF"},
		m.cost(`rsync -a "$HOME/F" papers/`))
	assert.Equal(t, "papers/F\npapers/F/a.paper\npapers/F/sub\npapers/F/sub/b.paper", m.sh(`find papers -maxdepth 3 -name '[a-zF]*' \( -name '*.paper' -prune -o -name F -o -name sub \) | sort`))
	assert.Empty(t, m.cost(`rsync -a "$HOME/F" papers/; rsync -a "$HOME/F/" papers/F/`))
	m.sh(`rsync -a --delete "$HOME/F/sub" papers/F/ 2> /dev/null || :; ls papers/F/sub | grep -x b.paper; cmp "$HOME/F/sub/b.pdf" papers/F/sub/b.pdf`)
	assert.Equal(t, 0, m.proxy.Count(remote.ProcessPDF))
	m.put("F/a.pdf", pdfOf(t, 3, 0))
	m.sh(`"$PAPERFS" wait papers/F/a.paper`)
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`rsync -a "$HOME/F" papers/`))
}

// TestARefusedRenameOfAPDF checks that the rename fails and that the empty paper and the temporary
// file stay. If the program removes the temporary file, as rsync does, that is its end.
func TestARefusedRenameOfAPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	testrun.Program(t, "rsync")
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C papers/D; cp "$HOME/Spring.pdf" papers/C/Spring.pdf.part; echo no > papers/C/x.part`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`mv papers/C/Spring.pdf.part papers/C/Spring.pdf`)
	assert.Equal(t, "Spring.paper", m.sh(`ls papers/C`))
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/Spring.pdf`), "No room")
	m.fails(`rsync -a "$HOME/Spring.pdf" papers/D/`)
	m.sh(`test -z "$(ls .paperfs/failed)"`)
	m.fails(`mv papers/C/x.part papers/C/x.pdf`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/x.pdf`), "this is not a PDF")
	m.proxy.Heal()
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`mv papers/C/Spring.pdf.part papers/C/Spring.pdf`))
	m.sh(`cmp "$HOME/Spring.pdf" papers/C/Spring.pdf; rm papers/C/x.part; test ! -e papers/C/x.pdf; ls papers/C | grep -x Spring.paper`)
}

// TestTemporaryFilesInPapersAtTheEnd checks that leftover files are in failed/, and can be moved
// from there to the name of a PDF.
func TestTemporaryFilesInPapersAtTheEnd(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C`)
	for _, end := range []func(){func() { m.remount() }, func() { m.crash(); m.start() }} {
		m.sh(`cp "$HOME/Spring.pdf" papers/C/x.part; cp "$HOME/Spring.pdf" papers/C/y.part; rm papers/C/y.part`)
		end()
		assert.Equal(t, "x.part", m.sh(`ls .paperfs/failed`))
		assert.Contains(t, m.fails(`"$PAPERFS" wait .`), "x.part: it had a temporary name when the mount ended; if it was being renamed")
		for _, what := range []string{"papers/C/x.part", ".paperfs/failed"} {
			assert.Contains(t, m.fails(`"$PAPERFS" retry `+what), "To send it, run: mv -- "+m.dir+"/.paperfs/failed/x.part "+m.dir+"/papers/C/NAME.pdf", what)
		}
		m.sh(`mv .paperfs/failed/x.part papers/C/Spring.pdf; cmp "$HOME/Spring.pdf" papers/C/Spring.pdf; test -z "$(ls .paperfs/failed)"; "$PAPERFS" wait papers/C/Spring.paper`)
	}
}
