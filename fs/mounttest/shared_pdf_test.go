package mounttest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/testrun"
)

// TestAPDFThatGetsItsNameWhileItIsWritten checks that a temporary file that is renamed while a
// program has it open becomes the content of its new name, and that the close sends all of it.
func TestAPDFThatGetsItsNameWhileItIsWritten(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.takePDFs()
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	python := func(name string) string {
		return `python3 -c 'import os
whole = open(os.environ["HOME"] + "/Spring.pdf", "rb").read()
f = open("Spring.pdf.part", "wb"); f.write(whole[:200]); f.flush()
os.rename("Spring.pdf.part", "` + name + `")
assert open("` + name + `", "rb").read() == whole[:200] and os.stat("` + name + `").st_size == 200
f.write(whole[200:]); f.flush(); os.fsync(f.fileno()); os.utime(f.fileno(), (1e9, 1e9)); f.close()'`
	}
	for dir, c := range map[string]struct {
		way   string
		asked []string
	}{
		"papers/A":         {python("Spring.pdf"), []string{"CreatePaper", "ProcessPDF"}},
		"papers/B":         {python("B.paper/source.pdf"), []string{"ProcessPDF"}},
		"papers/C":         {python("C.paper/a.pdf"), []string{"ProcessPDF"}},
		"papers/D/D.paper": {python("source.pdf"), []string{"ProcessPDF"}},
		"papers/E": {`{ head -c 200 "$HOME/Spring.pdf"; mv x.part Spring.pdf; tail -c +201 "$HOME/Spring.pdf"; } > x.part; touch -d @1000000000 Spring.pdf`,
			[]string{"CreatePaper", "ProcessPDF"}},
	} {
		m.sh(`mkdir -p papers/B/B.paper papers/C/C.paper ` + dir)
		assert.Equal(t, c.asked, m.cost("cd "+dir+"; "+c.way), c.way)
		sent := m.sh(`cd ` + dir + `; for f in Spring.pdf B.pdf C.pdf source.pdf; do test ! -e $f || { cmp "$HOME/Spring.pdf" $f; stat -c %Y $f; }; done; test ! -e Spring.pdf.part -a ! -e x.part`)
		assert.Equal(t, "1000000000", sent, c.way)
	}
	assert.Empty(t, m.sh(`ls .paperfs/failed`))

	// A program that is killed after the rename has written half a PDF.
	m.sh(`mkdir papers/K; mkfifo "$HOME/go"`)
	m.proxy.Reset()
	m.sh(`{ exec 3> papers/K/x.part; head -c 200 "$HOME/Spring.pdf" >&3; mv papers/K/x.part papers/K/Spring.pdf; echo $BASHPID > "$HOME/pid"; read <> "$HOME/go"; } > /dev/null 2>&1 &
		until test -s "$HOME/pid"; do sleep 0.02; done; kill -KILL $(cat "$HOME/pid")`)
	m.eventually(`head -c 200 "$HOME/Spring.pdf" | cmp - .paperfs/failed/Spring.pdf`)
	m.sh(`test -z "$(ls papers/K)"`)
	assert.Empty(t, m.asked())
	m.sh(`"$PAPERFS" discard papers/K/Spring.pdf; cp "$HOME/Spring.pdf" papers/K; cmp "$HOME/Spring.pdf" papers/K/Spring.pdf`)
}

// TestDescriptorsOfAPDFShareIt checks that all descriptors, by either name, share one content, and
// that it is sent when the last writer closes it.
func TestDescriptorsOfAPDFShareIt(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	for _, c := range []struct{ before, one, other string }{
		{``, `A/A.pdf`, `A/A.pdf`},
		{`mkdir B/B.paper`, `B/B.paper/source.pdf`, `B/B.pdf`},
		{`cp "$HOME/three.pdf" C/C.pdf; "$PAPERFS" wait C/C.paper`, `C/C.pdf`, `C/C.paper/source.pdf`},
	} {
		m.sh(`cd papers; mkdir ` + c.one[:1] + `; ` + c.before)
		asked := []string{"ProcessPDF"}
		if c.before == "" {
			asked = []string{"CreatePaper", "ProcessPDF"}
		}
		assert.Equal(t, asked, m.cost(`cd papers
			exec 3> `+c.one+`; head -c 200 "$HOME/two.pdf" >&3
			head -c 200 "$HOME/two.pdf" | cmp - `+c.other+`; test "$(stat -c %s `+c.other+`)" = 200
			exec 4>> `+c.other+` 5< `+c.other+`; tail -c +201 "$HOME/two.pdf" >&4
			cmp "$HOME/two.pdf" `+c.one+`; exec 3>&-
			cmp "$HOME/two.pdf" `+c.one+`; exec 4>&-
			cmp "$HOME/two.pdf" - <&5; cmp "$HOME/two.pdf" `+c.one+`; cmp "$HOME/two.pdf" `+c.other), c.one)
	}
	m.processed("papers/*/*.paper")
	m.sh(`for p in papers/*/*.paper; do test -d $p/pages/002 -a ! -d $p/pages/003; done; test -z "$(ls .paperfs/failed)"`)
}

// TestANewPDFOfARemovedName checks that the new PDF has nothing of the old one. A program that has
// the old one open continues with it, as in any directory.
func TestANewPDFOfARemovedName(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.takePDFs()
	m.put("old.pdf", pdfOf(t, 3, 40000))
	m.put("new.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; cd papers/C; cp "$HOME/old.pdf" X.pdf`)
	for _, name := range []string{"X.pdf", "X.paper/source.pdf", "N.pdf"} {
		assert.Equal(t, 1, len(slices.DeleteFunc(m.cost(`cd papers/C
			exec 3> `+name+`; head -c 30000 "$HOME/old.pdf" >&3; rm `+name+`
			cp "$HOME/new.pdf" `+name+`; cmp "$HOME/new.pdf" `+name+` || exit
			tail -c +30001 "$HOME/old.pdf" >&3; exec 3>&-; cmp "$HOME/new.pdf" `+name), func(op string) bool { return op != "ProcessPDF" })), name)
	}
	assert.Empty(t, m.sh(`ls .paperfs/failed`))
}

// TestAHungWriterDoesNotKeepAPDFBack checks that a writer that has replaced all content of another
// sends the PDF.
func TestAHungWriterDoesNotKeepAPDFBack(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.put("new.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; cd papers/C
		python3 -c 'import os, time
os.write(os.open("X.pdf", os.O_WRONLY | os.O_CREAT), b"%PDF-" + 30000 * b"x"); open(os.environ["HOME"] + "/wrote", "w"); time.sleep(600)' > /dev/null 2>&1 &
		until test -e "$HOME/wrote"; do sleep 0.02; done; cp "$HOME/new.pdf" X.pdf && test -d X.paper || exit; kill -KILL $!`)
	m.processed("papers/C/*.paper")
	m.sh(`cmp "$HOME/new.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
}
