package mounttest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAKilledTruncationIsUndone checks that a program that is killed between its open and its first
// write has truncated nothing. If it ends normally, the truncation stays.
func TestAKilledTruncationIsUndone(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.takePDFs()
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`cp "$HOME/two.pdf" "$HOME/more.pdf"; echo "% more" >> "$HOME/more.pdf"`)
	for _, name := range []string{"C/X.pdf", "C/X.paper/source.pdf"} {
		m.sh(`set -e; cd papers; mkdir -p C; cp "$HOME/two.pdf" C/X.pdf`)
		m.fails(`cd papers; exec 3> ` + name + `; kill -KILL $$`)
		m.sh(`set -e; cd papers; echo "% more" >> ` + name + `; cmp "$HOME/more.pdf" ` + name)
	}
	m.sh(`set -e; cd papers; : > C/X.pdf; cat "$HOME/two.pdf" >> C/X.pdf; cmp "$HOME/two.pdf" C/X.pdf; test -z "$(ls ../.paperfs/failed)"`)
}

// TestAMoveOutOfFailedOverAWriter checks that a program that has written to the replaced PDF
// continues with the old file, as after any rename.
func TestAMoveOutOfFailedOverAWriter(t *testing.T) {
	t.Parallel()
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

// TestAPDFIsNotRenamed checks that the error says what to do: a PDF has the name of its paper.
func TestAPDFIsNotRenamed(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C papers/D; cd papers/C; cp "$HOME/two.pdf" X.pdf; "$PAPERFS" wait X.paper`)
	m.proxy.Reset()
	for _, to := range []string{"Y.pdf", "../D/X.pdf", "../../media/X.pdf", "X.part"} {
		assert.Contains(t, m.fails(`cd papers/C; mv X.pdf `+to), "not supported", to)
		assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.pdf`), "cp X.pdf", to)
	}
	assert.Contains(t, m.fails(`cd papers/C; mv X.pdf X.paper/source.pdf`), "are the same file")
	assert.Contains(t, m.fails(`cd papers/C; mv X.paper/source.pdf Y.pdf`), "not supported")
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.paper/source.pdf`), "cp source.pdf")
	assert.Zero(t, m.proxy.Count(remote.ProcessPDF)+m.proxy.Count(remote.UploadFile))
	m.sh(`set -e; cd papers/C; cmp "$HOME/two.pdf" X.pdf; exec 3> N.pdf; ! mv N.pdf M.pdf`)
}

// TestAPDFIsSentByItsLastClose checks that neither the close of a duplicate nor the opener's close
// while a child writes sends the PDF. If the same program keeps another descriptor open, as a lock,
// the PDF is sent at once.
func TestAPDFIsSentByItsLastClose(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	taken := m.takePDFs()
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`head -c 200 "$HOME/two.pdf" > "$HOME/head"; tail -c +201 "$HOME/two.pdf" > "$HOME/tail"`)
	const python = `python3 -c 'import os, subprocess
home = os.environ["HOME"]
head, tail = open(home + "/head", "rb").read(), open(home + "/tail", "rb").read()
f = os.open("X.pdf", os.O_WRONLY | os.O_CREAT)
def child(script): return subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, stdout=f)
def go(p): p.communicate(b"go\n"); assert p.returncode == 0
`
	for i, way := range []string{
		`exec 3> X.pdf; while IFS= read -r line; do printf "%s\n" "$line" >&3; done < "$HOME/two.pdf"; exec 3>&-`,
		`{ cat "$HOME/head"; cat "$HOME/tail"; } > X.pdf`,
		python + `os.write(f, head); os.close(os.dup(f)); os.write(f, tail); os.close(f)'`,
		python + `os.write(f, head); g = os.dup(f); os.close(f); os.write(g, tail)'`,
		python + `r, w = os.pipe()
if os.fork() == 0:
    os.write(f, head); os.read(r, 1); os.write(f, tail); os._exit(0)
while os.fstat(f).st_size < 200: pass
os.close(f); os.write(w, b"x"); assert os.wait()[1] == 0'`,
		python + `p = child("read x; cat $HOME/head $HOME/tail"); os.close(f); go(p)'`,
		python + `g = os.open("X.pdf", os.O_RDWR); os.write(f, head + tail); os.close(f)
assert os.stat("X.paper")'`,
	} {
		m.sh(fmt.Sprintf(`mkdir papers/%d`, i))
		m.proxy.Reset()
		m.sh(fmt.Sprintf(`set -e; cd papers/%d; %s; cmp "$HOME/two.pdf" X.pdf`, i, way))
		assert.Equal(t, []string{"CreatePaper", "ProcessPDF"}, m.asked(), way)
		assert.True(t, bytes.Equal(m.here("two.pdf"), taken()), "%s: the service gets other content", way)
	}
	m.sh(`test -z "$(ls .paperfs/failed)"`)
}

// TestARenameBesideTheLastClose checks that one of the two sends the PDF and reports the outcome,
// whichever is first, and that the new name exists when both have ended.
func TestARenameBesideTheLastClose(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.takePDFs()
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; cd papers/C; python3 -c 'import os, threading
whole = open(os.environ["HOME"] + "/two.pdf", "rb").read()
def both(name, content):
    f = os.open(name + ".part", os.O_WRONLY | os.O_CREAT)
    os.write(f, content)
    failed, ready = [], threading.Barrier(2)
    def run(call):
        ready.wait()
        try: call()
        except OSError as e: failed.append(e)
    threads = [threading.Thread(target=run, args=[c]) for c in (lambda: os.close(f), lambda: os.rename(name + ".part", name))]
    for t in threads: t.start()
    for t in threads: t.join()
    return failed
for i in range(` + fmt.Sprint(times(10, 40)) + `):
    assert not both("X%d.pdf" % i, whole)
    assert open("X%d.pdf" % i, "rb").read() == whole, i
    assert both("N%d.pdf" % i, b"no"), ("no close reported the failure", i)
'`)
}
