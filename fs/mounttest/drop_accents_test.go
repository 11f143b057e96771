package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAPDFWithAccentsInTheOtherForm checks that a name with a letter and an accent, as in archives
// of macOS, and the same name with one character, mean one paper. It keeps the name with which it
// was created.
func TestAPDFWithAccentsInTheOtherForm(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	const composed, decomposed = "Pr\u00fcfung", "Pru\u0308fung"
	m := newMount(t)
	m.takePDFs()
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	for dir, forms := range map[string][2]string{"C": {composed, decomposed}, "D": {decomposed, composed}} {
		script := strings.NewReplacer("FIRST", forms[0], "OTHER", forms[1])
		m.sh(script.Replace(`mkdir papers/` + dir + `; cd papers/` + dir + `; cp "$HOME/one.pdf" FIRST.pdf
			cp -p "$HOME/two.pdf" "$HOME/OTHER.pdf"; cmp "$HOME/one.pdf" OTHER.pdf`))
		asked := m.cost(script.Replace(`cd papers/` + dir + `; cp --preserve=timestamps "$HOME/OTHER.pdf" .`))
		assert.Equal(t, []string{"ProcessPDF"}, asked)
		m.sh(script.Replace(`cd papers/` + dir + `; test "$(echo *)" = FIRST.paper; for f in FIRST OTHER; do cmp "$HOME/two.pdf" $f.pdf; done`))
		assert.Empty(t, m.cost(script.Replace(`rsync -a "$HOME/OTHER.pdf" papers/`+dir+`/`)))
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(script.Replace(`cd papers/`+dir+`; cp "$HOME/one.pdf" OTHER.pdf.part; mv OTHER.pdf.part OTHER.pdf; cmp "$HOME/one.pdf" FIRST.pdf`)))
		m.sh(script.Replace(`cd papers/` + dir + `; rm OTHER.pdf; test ! -e OTHER.pdf -a ! -e FIRST.pdf -a -d FIRST.paper`))
	}
}

// TestQueuedPDFsWithAccentsInBothForms checks that two queued PDFs whose names differ only in the
// form of an accent become one paper with the last PDF.
func TestQueuedPDFsWithAccentsInBothForms(t *testing.T) {
	t.Parallel()
	const composed, decomposed = "Pr\u00fcfung", "Pru\u0308fung"
	m := newMount(t, "--write-back")
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C`)
	m.proxy.Down()
	m.sh(`cd papers/C; cp "$HOME/one.pdf" ` + composed + `.pdf; cp "$HOME/two.pdf" ` + decomposed + `.pdf; cmp "$HOME/two.pdf" ` + composed + `.pdf`)
	m.proxy.Up()
	m.sh(`"$PAPERFS" retry .; "$PAPERFS" wait .; cd papers/C; test "$(echo *)" = ` + composed + `.paper; "$PAPERFS" wait *.paper; test -d *.paper/pages/002`)
}

// TestWaitingForAQueuedPDFWithAccents waits by either form of the name, before the paper exists.
func TestWaitingForAQueuedPDFWithAccents(t *testing.T) {
	t.Parallel()
	const composed, decomposed = "Pr\u00fcfung", "Pru\u0308fung"
	m := newMount(t, "--write-back")
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`mkdir papers/` + composed)
	m.proxy.Down()
	m.sh(`cd papers/` + composed + `; cp "$HOME/one.pdf" ` + composed + `.pdf
		for f in ` + composed + ` ` + decomposed + `; do
			{ code=0; "$PAPERFS" wait $f.pdf 2> "$HOME/words.$f" || code=$?; echo $code > "$HOME/code.$f"; } > /dev/null 2>&1 &
		done`)
	m.proxy.Up()
	m.sh(`"$PAPERFS" retry .`)
	m.eventually(`test -s "$HOME/code.` + composed + `" && test -s "$HOME/code.` + decomposed + `"`)
	assert.Equal(t, "0\n0", m.sh(`cat "$HOME"/code.*; cat "$HOME"/words.*`))
	assert.Equal(t, "001", m.sh(`ls papers/`+composed+`/`+composed+`.paper/pages`))
}

// TestWhyOfAPDFInTheOtherForm checks a name in which a person types é as one character, and macOS
// has written two.
func TestWhyOfAPDFInTheOtherForm(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails("cp \"$HOME/two.pdf\" papers/C/Ete\u0301.pdf")
	m.eventually(`test -n "$(ls .paperfs/failed)"`)
	for _, name := range []string{"Et\u00e9", "Ete\u0301"} {
		for _, path := range []string{name + ".pdf", name + ".paper/source.pdf"} {
			assert.Contains(t, m.sh(`"$PAPERFS" why "papers/C/`+path+`"`), "No room", path)
		}
	}
	m.proxy.Heal()
	m.sh("\"$PAPERFS\" retry papers/C/Et\u00e9.pdf; test -z \"$(ls .paperfs/failed)\"")
}
