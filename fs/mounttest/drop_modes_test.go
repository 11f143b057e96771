package mounttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// dropMode is a way to put a PDF, new/a.pdf in the current directory, into a category ($to), and
// the expected outcome if there is a paper with an older PDF, or a newer one. If there is none,
// it creates the paper.
type dropMode struct {
	way          string
	older, newer outcome
	again        outcome // outcome of the same copy again
}

type outcome int

const (
	replaces outcome = iota // the PDF replaces the existing one
	stays                   // it sends no request, and the existing PDF stays
	refused                 // it fails, sends no request, and the existing PDF stays
)

var dropModes = []dropMode{
	{`rsync -a new/ "$to"`, replaces, replaces, stays},
	{`rsync -au new/ "$to"`, replaces, stays, stays},
	{`rsync -a --ignore-existing new/ "$to"`, stays, stays, stays},
	{`rsync -a --append-verify new/ "$to"`, refused, refused, stays},
	{`rsync -a --append new/ "$to"`, refused, refused, stays},
	{`rsync -a --inplace new/ "$to"`, replaces, replaces, stays},
	{`rsync -a --partial new/ "$to"`, replaces, replaces, stays},
	{`rsync -a --backup new/ "$to"`, replaces, replaces, stays},
	{`rsync -a --backup --backup-dir="$PWD" --suffix=.old new/ "$to"`, replaces, replaces, stays},
	{`rsync -a --backup --suffix=.bak new/ "$to"`, refused, refused, stays},
	{`rsync -a --delay-updates new/ "$to"`, replaces, replaces, stays},
	{`rsync -a --temp-dir="$PWD" new/ "$to"`, replaces, replaces, stays},
	{`rsync -a --checksum new/ "$to"`, replaces, replaces, stays},
	{`mv new/a.pdf "$to"`, replaces, replaces, replaces},
	{`mv -n new/a.pdf "$to"`, stays, stays, stays},
	{`mv -b new/a.pdf "$to"`, refused, refused, refused},
	{`install new/a.pdf "$to"`, replaces, replaces, replaces},
	{`cp -n new/a.pdf "$to"`, stays, stays, stays},
	{`cp -u new/a.pdf "$to"`, replaces, stays, stays},
	{`cp -b new/a.pdf "$to"`, refused, refused, refused},
	{`cp --remove-destination new/a.pdf "$to"`, replaces, replaces, replaces},
	{`tar -C new -c . | tar -C "$to" -x`, replaces, replaces, replaces},
	{`tar -C new -c . | tar -C "$to" -x --keep-newer-files`, replaces, stays, stays},
	{`tar -C new -c . | tar -C "$to" -x --keep-old-files`, refused, refused, refused},
	{`GIO_USE_VFS=local gio copy new/a.pdf "$to/a.pdf"`, replaces, replaces, replaces},
	{`GIO_USE_VFS=local gio move new/a.pdf "$to/a.pdf"`, replaces, replaces, replaces},
}

// TestProgramsReplacePDFsOrRefuse copies a folder with a PDF into a category: twice, and over an
// older and a newer PDF. Everything that a program reports as done must be done, and everything
// that the mount does not support must fail before a request is sent.
func TestProgramsReplacePDFsOrRefuse(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"gio", "rsync"} {
		testrun.Program(t, tool)
	}
	m := newMount(t)
	m.takePDFs()
	m.put("sent.pdf", pdfOf(t, 2, 0))
	m.put("there.pdf", pdfOf(t, 1, 0))
	m.sh(`ls papers; mkdir papers/none papers/older papers/newer`)
	modes := dropModes
	if !testrun.All() {
		modes = nil
		for i := 0; i < len(dropModes); i += 3 { // some of each outcome
			modes = append(modes, dropModes[i])
		}
	}
	for i := range modes {
		m.sh(fmt.Sprintf(`cd papers; mkdir none/%d older/%[1]d newer/%[1]d; touch -d @1400000000 "$HOME/there.pdf"; cp -p "$HOME/there.pdf" older/%[1]d/a.pdf
			touch -d @1600000000 "$HOME/there.pdf"; cp -p "$HOME/there.pdf" newer/%[1]d/a.pdf`, i))
	}
	for i, mode := range modes {
		assert.Equal(t, []string{"CreatePaper", "ProcessPDF"}, m.dropped(mode.way, fmt.Sprint("papers/none/", i), ""), mode.way)
		m.droppedOnto(mode.older, mode.way, fmt.Sprint("papers/older/", i), "there")
		m.droppedOnto(mode.newer, mode.way, fmt.Sprint("papers/newer/", i), "there")
	}
	for i, mode := range modes {
		m.droppedOnto(mode.again, mode.way, fmt.Sprint("papers/none/", i), "sent")
	}
	assert.Empty(t, m.sh(`ls .paperfs/failed`))
}

// dropped runs a drop that must succeed, or fail with this message, and returns its requests.
func (m *mounted) dropped(way, to, says string) []string {
	m.t.Helper()
	m.sh(`rm -rf "$HOME/work"; mkdir -p "$HOME/work/new"; cp "$HOME/sent.pdf" "$HOME/work/new/a.pdf"; touch -d @1500000000 "$HOME/work/new/a.pdf"`)
	m.proxy.Reset()
	out, err := m.run("bash", `set -e; to="$PWD/`+to+`"; cd "$HOME/work"; `+way)
	assert.Equal(m.t, says != "", err != nil, "%s: %s: %s", to, way, out)
	assert.Contains(m.t, out, says, way)
	return m.asked()
}

// droppedOnto is dropped for a paper that already has a PDF.
func (m *mounted) droppedOnto(want outcome, way, to, before string) {
	m.t.Helper()
	says, asks, has := "", []string{"ProcessPDF"}, "sent"
	if want != replaces {
		asks, has = nil, before
	}
	switch {
	case want == refused && strings.Contains(way, "keep-old"):
		says = "File exists"
	case want == refused:
		says = " not "
	}
	assert.Equal(m.t, asks, m.dropped(way, to, says), "%s: %s", to, way)
	m.sh(fmt.Sprintf(`cmp "$HOME/%s.pdf" %s/a.pdf`, has, to))
}

// TestWhyRsyncDoesNotAppend checks that why explains a refused append, after which the source
// stays. Without --append, rsync sends the PDF and removes the source.
func TestWhyRsyncDoesNotAppend(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.put("new.pdf", pdfOf(t, 2, 0))
	m.put("old.pdf", pdfOf(t, 1, 0))
	m.sh(`mkdir papers/C; cp "$HOME/old.pdf" papers/C/X.pdf; cp "$HOME/new.pdf" "$HOME/X.pdf"; "$PAPERFS" wait papers/C/X.paper`)
	m.fails(`rsync -a --append-verify --remove-source-files "$HOME/X.pdf" papers/C/`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.pdf; cmp "$HOME/new.pdf" "$HOME/X.pdf"`), "leave out --append")
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`rsync -a --remove-source-files "$HOME/X.pdf" papers/C/; test ! -e "$HOME/X.pdf"; cmp "$HOME/new.pdf" papers/C/X.pdf`))
}

// TestRsyncOfPDFsInItsModes checks that, if rsync succeeds, the PDF is on the service, even if
// rsync keeps it in its own directory until the end.
func TestRsyncOfPDFsInItsModes(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.takePDFs()
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`cp "$HOME/Spring.pdf" "$HOME/source.pdf"; mkdir "$HOME/tmp" media/.tmp`)
	modes := []string{"--delay-updates", "--delay-updates --partial-dir=.mine", "--partial-dir=.mine", "--partial", "--inplace", "--append",
		`--temp-dir="$HOME/tmp"`, `--temp-dir=/dev/shm`, "--whole-file --fsync", "--no-whole-file"}
	for i, mode := range modes {
		if i%2 == 1 && !testrun.All() {
			continue
		}
		c := fmt.Sprintf("papers/C%d", i)
		m.sh(`mkdir ` + c + ` ` + c + `/X.paper`)
		assert.Equal(t, []string{"CreatePaper", "ProcessPDF"}, m.cost(`rsync -a `+mode+` "$HOME/Spring.pdf" `+c+`/`), mode)
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(`rsync -a `+mode+` "$HOME/source.pdf" `+c+`/X.paper/`), mode)
		assert.Equal(t, "Spring.paper\nX.paper", m.sh(`ls -A `+c), mode)
		m.sh(`cd ` + c + `; for f in Spring.pdf Spring.paper/source.pdf X.pdf; do cmp "$HOME/Spring.pdf" $f; done
			for d in . X.paper; do test ! -e $d/.~tmp~ -a ! -e $d/.mine; done`)
		assert.Empty(t, m.cost(`rsync -a `+mode+` "$HOME/Spring.pdf" `+c+`/; rsync -a `+mode+` "$HOME/source.pdf" `+c+`/X.paper/`), "the second time: %s", mode)
	}
	assert.Empty(t, m.sh(`ls .paperfs/failed`))

	m.sh(`mkdir papers/D`)
	m.fails(`rsync -a --temp-dir="$PWD/media/.tmp" "$HOME/Spring.pdf" papers/D/`)
	assert.Empty(t, m.sh(`ls papers/D`))
	m.proxy.Heal()
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`rsync -a --delay-updates "$HOME/Spring.pdf" papers/D/`)
	m.sh(`cmp "$HOME/Spring.pdf" papers/D/.~tmp~/Spring.pdf; test "$(ls papers/D/.~tmp~)" = Spring.pdf`)
	m.proxy.Heal()
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`rsync -a --delay-updates "$HOME/Spring.pdf" papers/D/`))
	m.sh(`cmp "$HOME/Spring.pdf" papers/D/Spring.pdf; test ! -e papers/D/.~tmp~`)
}
