package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
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
