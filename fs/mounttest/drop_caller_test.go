package mounttest

import (
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
