package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestProgramsThatRewriteAPDF checks that temporary files of ExifTool 12.57 and qpdf 11.3 are not
// published, not even in media/, where no one could remove them.
func TestProgramsThatRewriteAPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; cp "$HOME/one.pdf" papers/C/X.pdf; cp "$HOME/one.pdf" media/X.pdf; "$PAPERFS" wait papers/C/X.pdf`)
	for _, dir := range []string{"papers/C", "media"} {
		sent := m.proxy.Count(remote.UploadFile) + m.proxy.Count(remote.ProcessPDF)
		m.sh(`cd ` + dir + `; cp "$HOME/two.pdf" X.pdf_exiftool_tmp; chmod 644 X.pdf_exiftool_tmp; mv X.pdf_exiftool_tmp X.pdf; cmp "$HOME/two.pdf" X.pdf`)
		require.Equal(t, sent+1, m.proxy.Count(remote.UploadFile)+m.proxy.Count(remote.ProcessPDF))
		m.fails(`cd ` + dir + `; qpdf --replace-input X.pdf`) // qpdf renames X.pdf first
		require.Equal(t, sent+1, m.proxy.Count(remote.UploadFile)+m.proxy.Count(remote.ProcessPDF))
		m.sh(`cd ` + dir + `; cmp "$HOME/two.pdf" X.pdf; rm X.pdf.~qpdf-temp#`)
	}
}

// TestBackupsOfAPDF checks what happens to the earlier PDF in papers/ if a program wants to keep
// it.
func TestBackupsOfAPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/C "$HOME/new" "$HOME/old"; cp "$HOME/one.pdf" papers/C/X.pdf; cp "$HOME/two.pdf" "$HOME/new/X.pdf"`)
	for _, refused := range []string{`cp --backup`, `cp --backup=numbered`, `install -b`} {
		m.fails(refused + ` "$HOME/new/X.pdf" papers/C/`)
		m.sh(`cmp "$HOME/one.pdf" papers/C/X.pdf`)
	}
	m.sh(`"$PAPERFS" wait papers/C/X.paper; rsync -ac --backup "$HOME/new/X.pdf" papers/C/; cmp "$HOME/two.pdf" papers/C/X.pdf; cmp "$HOME/one.pdf" papers/C/X.pdf~
		"$PAPERFS" status --local . | grep 'papers/C/X.pdf~'`)
	m.sh(`cp "$HOME/three.pdf" "$HOME/new/X.pdf"; "$PAPERFS" wait papers/C/X.paper; rsync -ac --backup --backup-dir="$HOME/old" "$HOME/new/X.pdf" papers/C/; cmp "$HOME/two.pdf" "$HOME/old/X.pdf"`)
	m.sh(`cp "$HOME/one.pdf" "$HOME/new/X.pdf"; "$PAPERFS" wait papers/C/X.paper; rsync -ac --backup --backup-dir=old "$HOME/new/X.pdf" papers/C/; cmp "$HOME/three.pdf" papers/C/old/X.pdf; test -d papers/C/old/X.paper`)
}

// TestAPDFThatAProgramOpensToUpdateIt checks that the PDF has its whole length until the first
// write, so that a program can append to it, and that other readers get all of it in the meantime.
func TestAPDFThatAProgramOpensToUpdateIt(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/A; cp "$HOME/Spring.pdf" papers/A; "$PAPERFS" wait papers/A/Spring.paper; mkdir "$HOME/out"`)
	m.sh(`cd papers/A/Spring.paper; exec 3<>source.pdf
		rsync -a source.pdf "$HOME/out/rsync.pdf"; cmp "$HOME/Spring.pdf" "$HOME/out/rsync.pdf"
		tar cf - source.pdf | tar xf - -C "$HOME/out"; cmp "$HOME/Spring.pdf" "$HOME/out/source.pdf"
		cmp ../Spring.pdf "$HOME/Spring.pdf"`)
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`python3 -c '
f = open("papers/A/Spring.pdf", "r+b")
f.seek(0, 2)
f.write(b"%% added\n")
f.close()'`))
	m.sh(`{ cat "$HOME/Spring.pdf"; echo "%% added"; } | cmp - papers/A/Spring.pdf`)
}

// TestMappingAPDF checks that a program can write a source.pdf through a mapping, and that what it wrote is sent once.
func TestMappingAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newDrops(t)
	m.sh(`mkdir papers/A.paper; cd papers/A.paper; python3 -c '
import mmap, os
new = open(os.environ["HOME"] + "/two.pdf", "rb").read()
f = os.open("source.pdf", os.O_RDWR)
os.ftruncate(f, len(new))
with mmap.mmap(f, len(new)) as m:
    m[:] = new
os.close(f)'`)
	m.sh(`"$PAPERFS" wait .; "$PAPERFS" wait papers/A.paper; cmp "$HOME/two.pdf" papers/A.paper/source.pdf; test -d papers/A.paper/pages/002; test -z "$(ls .paperfs/failed)"`)
}

// TestAppendingToAnEmptiedPDF checks that the next writer begins with nothing, after a program has emptied a queued
// or sent PDF, which alone changes nothing.
func TestAppendingToAnEmptiedPDF(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"queued", "sent", "any"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--write-back")
			wait := ""
			switch state {
			case "queued":
				m.proxy.Freeze(remote.ProcessPDF)
			case "sent":
				wait = `"$PAPERFS" wait ../..;`
			}
			for range times(3, 50) {
				m.sh(`cd papers/C; cp "$HOME/two.pdf" W.pdf; ` + wait + `
					truncate -s 0 W.pdf
					until cmp -s "$HOME/two.pdf" W.pdf; do sleep .01; done
					cat "$HOME/one.pdf" >> W.pdf
					cmp "$HOME/one.pdf" W.pdf`)
			}
			m.proxy.Heal()
			m.sh(`set -e; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; cmp "$HOME/one.pdf" papers/C/W.pdf`)
		})
	}
}

// TestAPDFIsNotCut checks that a length alone, which would make a part of a PDF the paper's pages, is refused in words, by path and by
// descriptor, and changes nothing.
func TestAPDFIsNotCut(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
	for _, way := range []string{`truncate -s 100 X.pdf`, `truncate -s 5000 X.paper/source.pdf`, `perl -e 'truncate("X.pdf", 9) or die $!'`} {
		assert.Empty(t, m.cost(`cd papers/C; ! `+way))
		assert.Contains(t, m.sh(`cmp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" why papers/C/X.pdf`), "write the whole PDF again", way)
	}
}
