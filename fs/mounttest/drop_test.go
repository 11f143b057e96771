package mounttest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAPDFDroppedIntoACategory checks that a PDF creates its paper and the pages, whatever program
// puts it there, and that an existing paper gets it. The sent PDF can be opened under its name,
// which is not listed.
func TestAPDFDroppedIntoACategory(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"busybox", "gio", "rsync", "python3"} {
		testrun.Program(t, tool)
	}
	m := newMount(t)
	taken := m.takePDFs()
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`touch -d 2020-02-02 "$HOME/Spring.pdf"`)
	ways := []string{
		`cp "$HOME/Spring.pdf" .`,
		`cp -p "$HOME/Spring.pdf" .`,
		`busybox cp "$HOME/Spring.pdf" .`,
		`cp "$HOME/Spring.pdf" Spring.PDF`,
		`cp --remove-destination "$HOME/Spring.pdf" .`,
		`install "$HOME/Spring.pdf" .`,
		`cat "$HOME/Spring.pdf" > Spring.pdf`,
		`GIO_USE_VFS=local gio copy "$HOME/Spring.pdf" Spring.pdf`,
		`rsync -a --inplace --ignore-times "$HOME/Spring.pdf" .`,
		`cp "$HOME/Spring.pdf" "$HOME/moved"; mv "$HOME/moved" Spring.pdf`,
		`python3 -c 'import os, shutil; shutil.copy(os.environ["HOME"] + "/Spring.pdf", ".")'`,
	}
	for i, way := range ways {
		in := fmt.Sprintf("cd papers/C%d; ", i)
		m.sh(fmt.Sprintf("mkdir papers/C%d; ", i) + in + `ls; test ! -e Spring.paper -a ! -e Spring.pdf`)
		assert.Equal(t, []string{"CreatePaper", "ProcessPDF"}, m.cost(in+way), way)
		assert.True(t, bytes.Equal(m.here("Spring.pdf"), taken()), "%s: the service gets other content", way)
		assert.Equal(t, "Spring.paper", m.sh(in+`ls`), way)
		m.sh(in + `for f in Spring.pdf Spring.PDF Spring.paper/source.pdf; do cmp "$HOME/Spring.pdf" $f; done`)
		assert.Empty(t, m.sh(`ls .paperfs/failed`), way)
	}
	for i, way := range ways {
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(fmt.Sprintf("cd papers/C%d; ", i)+way), "the second time: %s", way)
	}
	assert.Equal(t, "2020-02-02", m.sh(`for f in 1/Spring.pdf 8/Spring.pdf 8/Spring.paper/source.pdf; do date -r papers/C$f +%F; done | sort -u`), "the PDFs have the time of their source")
	assert.NotEqual(t, "2020-02-02", m.sh(`date -r papers/C0/Spring.pdf +%F`))
	m.proxy.Heal()
	m.sh(`mkdir papers/P; cp "$HOME/Spring.pdf" papers/P/; "$PAPERFS" wait papers/P/Spring.paper; test -d papers/P/Spring.paper/pages/002`)
}

// processed waits until the PDFs of these papers are processed: until then the papers accept no
// other.
func (m *mounted) processed(papers string) {
	m.t.Helper()
	m.sh(`for p in ` + papers + `; do "$PAPERFS" wait $p; done`)
}

// TestAFileThatIsNoPDFMakesNoPaper checks that other content, or an empty file, creates no paper.
func TestAFileThatIsNoPDFMakesNoPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/C; echo "no PDF" > "$HOME/Spring.pdf"; : > "$HOME/Empty.pdf"`)
	m.proxy.Reset()
	assert.Contains(t, m.fails(`cp "$HOME/Spring.pdf" papers/C/`), "Invalid argument")
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/Spring.pdf`), "this is not a PDF")
	m.sh(`cp "$HOME/Empty.pdf" papers/C/; touch papers/C/Touched.pdf`)
	m.eventually(`test ! -e papers/C/Empty.pdf -a ! -e papers/C/Touched.pdf`) // the release comes after the close
	assert.Empty(t, m.asked())
	assert.Empty(t, m.sh(`ls papers/C`))
	m.eventually(`cmp "$HOME/Spring.pdf" .paperfs/failed/Spring.pdf`)
	m.sh(`"$PAPERFS" discard papers/C/Spring.pdf; test -z "$(ls .paperfs/failed)"`)
}

// TestADroppedPDFThatIsRefused checks that the empty paper stays, that the content is in failed/,
// and that retry sends it to the paper, even after a kill. If the paper could not be created
// either, retry creates it.
func TestADroppedPDFThatIsRefused(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	for _, c := range []struct {
		dir     string
		refuses *remote.Operation
		left    string
		retried []string
	}{
		{"papers/C", remote.ProcessPDF, "Spring.paper", []string{"ProcessPDF"}},
		{"papers/D", remote.CreatePaper, "", []string{"CreatePaper", "ProcessPDF"}},
	} {
		m.sh(`mkdir ` + c.dir)
		m.refuse(c.refuses, `<result><code>READONLY</code><message>No room.</message></result>`)
		m.fails(`cp "$HOME/Spring.pdf" ` + c.dir)
		assert.Equal(t, c.left, m.sh(`ls `+c.dir))
		m.eventually(`cmp "$HOME/Spring.pdf" .paperfs/failed/Spring.pdf`)
		assert.Contains(t, m.sh(`"$PAPERFS" why `+c.dir+`/Spring.pdf`), "No room")
		m.fails(`"$PAPERFS" retry ` + c.dir + `/Spring.pdf`)
		m.proxy.Heal()
		m.crash()
		m.proxy.Reset()
		m.start()
		m.waitForRequest(remote.GetAllPapers) // the new mount's first request in the background
		assert.Contains(t, m.sh(`"$PAPERFS" why `+c.dir+`/Spring.pdf`), "No room")
		m.sh(`test ! -e ` + c.dir + `/Spring.paper || test -d ` + c.dir + `/Spring.paper`)
		assert.Equal(t, c.retried, m.cost(`"$PAPERFS" retry `+c.dir+`/Spring.pdf`))
		m.sh(`test -z "$(ls .paperfs/failed)"; cmp "$HOME/Spring.pdf" ` + c.dir + `/Spring.pdf; "$PAPERFS" wait ` + c.dir + `/Spring.paper; test -d ` + c.dir + `/Spring.paper/pages/002`)
	}
}

// TestAKilledDropMakesNothing checks that half a PDF creates no paper, whether its writer or the
// mount is killed.
func TestAKilledDropMakesNothing(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; mkfifo "$HOME/p"; (cat "$HOME/p" > papers/C/Spring.pdf) & exec 3> "$HOME/p"
		head -c 100 "$HOME/Spring.pdf" >&3; until test "$(stat -c %s papers/C/Spring.pdf)" = 100; do sleep 0.02; done
		kill -KILL $(pgrep -nx cat -P $!) || kill -KILL $!; exec 3>&-; wait || true`)
	m.eventually(`test -e .paperfs/failed/Spring.pdf`)
	assert.Equal(t, 0, m.proxy.Count(remote.CreatePaper))
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/Spring.pdf`), "killed")
	m.eventually(`test ! -e papers/C/Spring.pdf`)
	m.sh(`rm .paperfs/failed/Spring.pdf`)

	m.sh(`{ exec 3> papers/C/Spring.pdf; printf half >&3; read <> "$HOME/p"; } > /dev/null 2>&1 &
		until test "$(stat -c %s papers/C/Spring.pdf)" = 4; do sleep 0.02; done; kill -KILL ` + m.pid())
	<-m.exited
	m.detach()
	m.start()
	assert.Equal(t, "half", m.sh(`cat .paperfs/failed/Spring.pdf`))
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/Spring.pdf`), "the mount ended before the file was closed")
	m.sh(`test ! -e papers/C/Spring.pdf; test -z "$(ls papers/C)"`)
}
