package mounttest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// TestAnInterruptedDropIsFinishedBehind checks that the upload finishes in the background, whether
// the service is creating the paper or its pages, and however the PDF came.
func TestAnInterruptedDropIsFinishedBehind(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	for _, c := range []struct {
		dir, signal, way string
		op               *remote.Operation
	}{
		{"papers/A", "TERM", `cp "$HOME/Spring.pdf" papers/A/Spring.pdf`, remote.CreatePaper},
		{"papers/B", "KILL", `cp "$HOME/Spring.pdf" papers/B/Spring.pdf`, remote.ProcessPDF},
		{"papers/C", "TERM", `mv papers/C/x.part papers/C/Spring.pdf`, remote.CreatePaper},
		{"papers/D", "KILL", `mv papers/D/x.part papers/D/Spring.pdf`, remote.ProcessPDF},
	} {
		m.sh(`mkdir ` + c.dir + `; cp "$HOME/Spring.pdf" ` + c.dir + `/x.part`)
		release := m.proxy.Freeze(c.op)
		m.proxy.Reset()
		m.killed(c.signal, c.way, c.op)
		release()
		m.eventually(`cmp "$HOME/Spring.pdf" ` + c.dir + `/Spring.pdf 2> /dev/null`)
		m.waitForRequest(remote.ProcessPDF)                                // it can already be read
		pages := func(op string) bool { return op == "GetPaperStructure" } // of the paper before, once its job has ended
		assert.Equal(t, []string{"CreatePaper", "ProcessPDF"}, slices.DeleteFunc(m.asked(), pages), c.way)
		m.sh(`rm -f ` + c.dir + `/x.part; test "$(ls -A ` + c.dir + `)" = Spring.paper; test -z "$(ls .paperfs/failed)"`)
	}
}

// TestChangesOfAFileWhileItIsSent checks changes during a background upload whose mv was killed: they wait, as those of a file of
// media/ do, and find that the name has gone. A write goes to a new file, and neither a second mv nor an rm has the PDF.
func TestChangesOfAFileWhileItIsSent(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/A papers/B papers/C; for d in A B C; do cp "$HOME/Spring.pdf" papers/$d/x.part; done`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	defer release()
	for _, dir := range []string{"A", "B", "C"} {
		m.proxy.Reset()
		m.killed("TERM", `mv papers/`+dir+`/x.part papers/`+dir+`/Spring.pdf`, remote.ProcessPDF)
	}
	gestures := []string{`echo more >> papers/A/x.part`, `! mv papers/B/x.part papers/B/Other.pdf`, `! rm papers/C/x.part`}
	ended := make(chan error, len(gestures))
	for _, gesture := range gestures {
		go func() {
			out, err := m.run("bash", gesture)
			if err != nil {
				err = fmt.Errorf("%s: %w: %s", gesture, err, out)
			}
			ended <- err
		}()
	}
	release()
	for _, dir := range []string{"A", "B", "C"} {
		m.eventually(`cmp "$HOME/Spring.pdf" papers/` + dir + `/Spring.pdf 2> /dev/null`)
	}
	for range gestures {
		assert.NoError(t, <-ended)
	}
	m.sh(`test "$(ls -A papers/B)" = Spring.paper; test ! -e papers/B/Other.pdf -a ! -e papers/B/x.part`)
	m.sh(`test "$(cat papers/A/x.part)" = more; rm papers/A/x.part; test -z "$(ls .paperfs/failed)"`)
}

// TestADropThatNoCloseSends checks an exec, which closes the descriptor. If a child also has the
// file open, the last close of its parent sends it.
func TestADropThatNoCloseSends(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/A papers/B; python3 -c 'import os
f = os.open("papers/A/Spring.pdf", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC)
os.write(f, open(os.environ["HOME"] + "/Spring.pdf", "rb").read())
os.execlp("true", "true")'`)
	m.eventually(`test -d papers/A/Spring.paper && cmp "$HOME/Spring.pdf" papers/A/Spring.pdf 2> /dev/null`)
	m.waitForRequest(remote.ProcessPDF)
	m.proxy.Reset()
	m.sh(`{ head -c 100 "$HOME/Spring.pdf"; tail -c +101 "$HOME/Spring.pdf"; } > papers/B/Spring.pdf; cmp "$HOME/Spring.pdf" papers/B/Spring.pdf`)
	assert.Equal(t, []string{"CreatePaper", "ProcessPDF"}, m.asked())
}

// TestADropWhosePaperIsThere checks that, after a lost answer to CreatePaper, that paper gets the
// PDF. A new PDF does not replace a colleague's; the next cp replaces it like any file.
func TestADropWhosePaperIsThere(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/A papers/B; ls papers/B`)
	m.proxy.Cut(remote.CreatePaper, 1, 0)
	m.sh(`cp "$HOME/Spring.pdf" papers/A/; test "$(ls papers/A)" = Spring.paper; cmp "$HOME/Spring.pdf" papers/A/Spring.pdf`)

	category := testrun.Must(strconv.ParseInt(m.sh(`cat papers/B/.category/id`), 10, 64))(t)
	testrun.Must(m.client().CreatePaper(t.Context(), remote.Node{ID: category, URL: "/b/"}, "Spring", "spring"))(t)
	m.proxy.Reset()
	assert.Contains(t, m.fails(`cp "$HOME/Spring.pdf" papers/B/`), "File exists")
	assert.NotContains(t, m.asked(), "ProcessPDF")
	m.sh(`"$PAPERFS" why papers/B/Spring.pdf | grep -q "somebody else has created Spring.paper" && test "$(ls papers/B)" = Spring.paper`)
	m.eventually(`cmp "$HOME/Spring.pdf" .paperfs/failed/Spring.pdf`)
	assert.Contains(t, m.fails(`"$PAPERFS" retry papers/B/Spring.pdf`), "so it is not replaced")
	m.sh(`cp "$HOME/Spring.pdf" papers/B/; cmp "$HOME/Spring.pdf" papers/B/Spring.pdf`)
}

// TestRemovingWhatAnInterruptedRenameQueues checks, on a slow disk, that the file is either queued
// or removed.
func TestRemovingWhatAnInterruptedRenameQueues(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	logs := testrun.Must(filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "state.db-wal")))(t)
	require.Len(t, logs, 1)
	m.sh(`for i in 1 2 3 4; do cp "$HOME/one.pdf" papers/C/$i.part; done`)
	m.strace(func() {
		m.sh(`cd papers/C; for i in 1 2 3 4; do
			! timeout -s KILL 0.1 mv $i.part $i.pdf || exit 1
			rm -f $i.part
		done`)
	}, "-P", logs[0], "-e", "trace=pwrite64", "-e", "inject=pwrite64:delay_enter=300000")
	m.sh(`"$PAPERFS" wait .; for p in papers/C/*.paper; do test ! -d $p || "$PAPERFS" wait $p; done; test -z "$(ls .paperfs/failed)"`)
}
