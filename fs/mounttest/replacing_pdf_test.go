package mounttest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// pdfOf returns a PDF with this many pages, padded to a length in bytes; 0 means no padding.
func pdfOf(t *testing.T, pages, length int) []byte {
	t.Helper()
	var texts []string
	for i := range pages {
		texts = append(texts, fmt.Sprintf("page %d of %d", i+1, pages))
	}
	var sheets []pdftest.Sheet
	for _, text := range texts {
		sheets = append(sheets, pdftest.Sheet{Width: 40, Height: 842, Text: text})
	}
	pdf := pdftest.Document(sheets)
	if length == 0 {
		return pdf
	}
	require.Less(t, len(pdf), length)
	// Insert comments before the last lines, which have the offsets.
	last := bytes.LastIndex(pdf, []byte("startxref"))
	fill := append([]byte("%"), bytes.Repeat([]byte("x"), length-len(pdf)-2)...)
	return bytes.Join([][]byte{pdf[:last], fill, []byte("\n"), pdf[last:]}, nil)
}

func (m *mounted) put(name string, content []byte) {
	m.t.Helper()
	require.NoError(m.t, os.WriteFile(filepath.Join(m.home, name), content, 0o600))
}

// pdfWays are scripts that replace source.pdf in the current directory by $new.
var pdfWays = []string{
	`cp "$new" source.pdf`,
	`cp --remove-destination "$new" source.pdf`,
	`cp "$new" "$HOME/moved"; mv "$HOME/moved" source.pdf`,
	`dd if="$new" of=source.pdf bs=333 conv=notrunc status=none`,
	`truncate -s 0 source.pdf; cat "$new" >> source.pdf`,
	`: > source.pdf; dd if="$new" of=source.pdf conv=notrunc status=none`,
	`rm source.pdf; cat "$new" > source.pdf`,
	`cat "$new" >> source.pdf`,
	`rsync --inplace --no-whole-file --checksum "$new" source.pdf`,
	`python3 -c 'import os
with open("source.pdf", "r+b") as f: f.write(open(os.environ["new"], "rb").read()); f.truncate()'`,
	`python3 -c 'import os
f = os.open("source.pdf", os.O_WRONLY); os.truncate("source.pdf", 0); os.write(f, open(os.environ["new"], "rb").read()); os.close(f)'`,
}

// morePDFWays call the kernel as one of pdfWays does.
var morePDFWays = []string{
	`busybox cp "$new" source.pdf`,
	`install "$new" source.pdf`,
	`cat "$new" > source.pdf`,
	`cat "$new" | tee source.pdf > /dev/null`,
	`dd if="$new" of=source.pdf bs=333 status=none`,
	`GIO_USE_VFS=local gio copy "$new" source.pdf`,
	`rsync --inplace "$new" source.pdf`,
	`python3 -c 'import os, shutil; shutil.copyfile(os.environ["new"], "source.pdf")'`,
}

// TestReplacingAPDF checks that, however a PDF is replaced, the mount sends what a local file would
// then contain.
func TestReplacingAPDF(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"busybox", "gio", "rsync", "python3"} {
		testrun.Program(t, tool)
	}
	m := newMount(t)
	taken := m.takePDFs()
	before := pdfOf(t, 4, 0)
	m.put("before.pdf", before)
	m.put("shorter.pdf", pdfOf(t, 2, 0))
	m.put("longer.pdf", pdfOf(t, 6, 0))
	m.put("same.pdf", pdfOf(t, 2, len(before)))
	m.sh(`mkdir "$HOME/local" papers/X.paper; ls papers/X.paper`)
	ways := pdfWays
	if testrun.All() {
		ways = append(ways, morePDFWays...)
	}
	for i, way := range ways {
		for j, new := range []string{"shorter", "longer", "same"} {
			if i%3 != j && !testrun.All() {
				continue
			}
			script := `cp "$HOME/before.pdf" source.pdf && export new="$HOME/` + new + `.pdf"` + "\n"
			m.sh(`cd "$HOME/local"; ` + script + way)
			asked := m.cost(`cd papers/X.paper; ` + script + way)
			assert.Equal(t, []string{"ProcessPDF", "ProcessPDF"}, asked, "%s: %s", new, way)
			assert.True(t, bytes.Equal(m.here("local/source.pdf"), taken()), "%s: %s: the service gets other content than a local file has", new, way)
			m.sh(`cmp "$HOME/local/source.pdf" papers/X.paper/source.pdf && test "$(ls papers/X.paper | grep -x source.pdf)"`)
		}
	}
	m.proxy.Heal()
	m.sh(`cp "$HOME/shorter.pdf" papers/X.paper/source.pdf; "$PAPERFS" wait papers/X.paper && test -d papers/X.paper/pages/002`)
	m.fails(`test -d papers/X.paper/pages/003`)
}

func TestTruncationAloneSendsNothing(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("before.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/X.paper; cp "$HOME/before.pdf" papers/X.paper/source.pdf; "$PAPERFS" wait papers/X.paper`)
	for _, script := range []string{
		`: > source.pdf`, `truncate -s 0 source.pdf`,
		`python3 -c 'open("source.pdf", "r+b").read()'`,
		`cat source.pdf > /dev/null`, `touch source.pdf`,
	} {
		assert.Empty(t, m.cost(`cd papers/X.paper; `+script), script)
		m.sh(`cmp "$HOME/before.pdf" papers/X.paper/source.pdf`)
	}
	assert.Empty(t, m.sh(`: > papers/X.pdf; ls .paperfs/failed; cat .paperfs/errors`))
}

// TestRemovingAPDF checks that the name is missing until a program creates it again, and that the
// service keeps its pages.
func TestRemovingAPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("before.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/X.paper papers/Y.paper; cp "$HOME/before.pdf" papers/X.paper/source.pdf; "$PAPERFS" wait papers/X.paper; ls papers/X.paper`)
	assert.Empty(t, m.cost(`rm papers/X.paper/source.pdf`))
	m.fails(`test -e papers/X.paper/source.pdf`)
	m.fails(`ls papers/X.paper | grep source.pdf`)
	assert.Equal(t, "no failure of papers/X.pdf is known", m.sh(`"$PAPERFS" why papers/X.pdf`))
	m.sh(`rm papers/X.pdf`)
	for _, name := range []string{"X.paper/source.pdf", "X.pdf"} {
		assert.Contains(t, m.sh(`"$PAPERFS" why papers/`+name), "was removed here, which only hides this name of the paper's PDF")
	}
	assert.Contains(t, m.fails(`"$PAPERFS" why papers/Z.pdf`), "empty PDF")
	m.sh(`test -e papers/Y.paper/source.pdf; test -d papers/X.paper/pages/002`)
	assert.Contains(t, m.fails(`rm papers/X.paper/id`), "not permitted")
	assert.Contains(t, m.fails(`touch papers/X.paper/other`), "not permitted")

	m.refuse(remote.ProcessPDF, `<result><code>INVALID_BASE64_PDF</code></result>`)
	m.fails(`cp "$HOME/before.pdf" papers/X.paper/source.pdf`)
	m.sh(`cmp "$HOME/before.pdf" papers/X.paper/source.pdf; rm papers/X.paper/source.pdf`)
	m.proxy.Heal()
	m.remount()
	m.sh(`cmp "$HOME/before.pdf" papers/X.paper/source.pdf`)
}

// TestANewPDFBringsBothNamesBack checks that both names of a paper's PDF show a new one, whichever
// was removed, and by whichever the new PDF is sent.
func TestANewPDFBringsBothNamesBack(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.takePDFs()
	m.put("a.pdf", pdfOf(t, 1, 0))
	m.put("b.pdf", pdfOf(t, 2, 0))
	m.sh(`cp ~/b.pdf ~/X.pdf`)
	for _, removed := range []string{"X.pdf", "X.paper/source.pdf"} {
		for _, way := range []string{`cp ~/b.pdf X.pdf`, `cp ~/b.pdf X.paper/source.pdf`, `cp ~/b.pdf X.paper/`, `cp ~/b.pdf .t; mv .t X.pdf`, `rsync -a ~/X.pdf X.pdf`} {
			t.Run(removed+" "+way, func(t *testing.T) {
				m := *m
				m.t = t
				m.sh(`mkdir -p papers/C; cd papers/C; cp ~/a.pdf X.pdf; rm ` + removed + `; ls -l X.paper > ~/before; ! test -e ` + removed)
				m.sh(`cd papers/C; ` + way)
				require.Equal(t, "X.paper/source.pdf\nX.pdf", m.sh(`cd papers/C; cmp ~/b.pdf X.pdf; cmp ~/b.pdf X.paper/source.pdf; ls X.paper/* X.pdf | grep '\.pdf$' | grep -v b.pdf`))
				m.sh(`ls -l papers/C/X.paper | grep source.pdf`)
			})
		}
	}
}

// TestRemovingAPDFThatIsBeingSent checks that the service accepts the completely sent PDF, and that
// its name stays removed.
func TestRemovingAPDFThatIsBeingSent(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"--write-back"}} {
		for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
			if !testrun.OneWay(name, flags == nil) {
				continue
			}
			t.Run(name+strings.Join(flags, ""), func(t *testing.T) {
				t.Parallel()
				m := newMount(t, flags...)
				m.put("a.pdf", pdfOf(t, 1, 0))
				m.put("b.pdf", pdfOf(t, 2, 0))
				m.sh(`mkdir papers/C; cp ~/a.pdf papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper`)
				held, release := m.proxy.FreezeAnswer(remote.ProcessPDF)
				m.sh(`(cp ~/b.pdf papers/C/` + name + `; touch ~/closed) > /dev/null 2>&1 &`)
				<-held
				m.sh(`rm papers/C/` + name)
				release()
				m.eventually(`test -e ~/closed`)
				m.sh(`"$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; ! test -e papers/C/` + name)
			})
		}
	}
}

// TestTheKernelKeepsNoNameOfAPDF checks that a name which a rename, out of a directory with a temporary name or of a file that mknod
// made, has given to a PDF shows the next PDF of the paper, and takes what a program copies there.
func TestTheKernelKeepsNoNameOfAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	testrun.Program(t, "python3")
	m := newMount(t, "--allow-delete")
	for i, name := range []string{"one", "two", "three"} {
		m.put(name+".pdf", pdfOf(t, i+1, 0))
	}
	for way, script := range map[string]string{
		"R": `rsync --delay-updates "$HOME/R.pdf" papers/`,
		"S": `mkdir papers/S.pdf.sb-6d6ce842-tI5oYC; cp "$HOME/one.pdf" papers/S.pdf.sb-6d6ce842-tI5oYC/S.pdf; mv papers/S.pdf.sb-6d6ce842-tI5oYC/S.pdf papers/S.pdf; rmdir papers/S.pdf.sb-6d6ce842-tI5oYC`,
		"M": `python3 -c 'import os; os.mknod("papers/M.part")'; cat "$HOME/one.pdf" > papers/M.part; mv papers/M.part papers/M.pdf`,
	} {
		t.Run(way, func(t *testing.T) {
			m.sh(`set -e; P=` + way + `; cp "$HOME/one.pdf" "$HOME/$P.pdf"; ` + script + `
				"$PAPERFS" wait papers/$P.paper; cmp "$HOME/one.pdf" papers/$P.pdf
				cp "$HOME/two.pdf" papers/$P.paper/x.part; mv papers/$P.paper/x.part papers/$P.paper/source.pdf; "$PAPERFS" wait papers/$P.paper
				cmp "$HOME/two.pdf" papers/$P.pdf; cp "$HOME/three.pdf" papers/$P.pdf; "$PAPERFS" wait papers/$P.paper
				cmp "$HOME/three.pdf" papers/$P.paper/source.pdf; test -d papers/$P.paper/pages/003
				rmdir papers/$P.paper; test ! -e papers/$P.pdf; cp "$HOME/two.pdf" papers/$P.pdf; "$PAPERFS" wait papers/$P.paper; test -d papers/$P.paper/pages/002`)
		})
	}
}

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
