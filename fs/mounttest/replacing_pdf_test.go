package mounttest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
