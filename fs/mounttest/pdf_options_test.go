package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestOnePDFHasItsOwnOptions sends PDFs with options of one paper: a part of the pages, and the password of an encrypted PDF. They are
// there after a remount, and the PDF that the paper has is processed again when they change.
func TestOnePDFHasItsOwnOptions(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "qpdf")
	const mounts = `<options><import-bookmarks>true</import-bookmarks><preserve-index>false</preserve-index></options>`
	m := newMount(t, "--pdf-options="+mounts)
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/A.paper papers/B.paper; qpdf --encrypt spring spring 256 -- "$HOME/three.pdf" "$HOME/secret.pdf"`)
	send := func(pdf string) string {
		return m.sh(`cp "$HOME/` + pdf + `" papers/A.paper/source.pdf; "$PAPERFS" wait papers/A.paper 2> /dev/null || :; ls papers/A.paper/pages | wc -l`)
	}
	require.Equal(t, mounts, m.sh(`cat papers/A.paper/pdf-options`))
	require.Equal(t, "600", m.sh(`stat -c %a papers/A.paper/pdf-options`))
	require.NotContains(t, m.sh(`ls -a papers/A.paper`), "pdf-options")
	require.Equal(t, "3", send("three.pdf"))
	require.Empty(t, m.cost(`echo '<options><all-pages>false</all-pages><pages-from>2</pages-from><pages-to>3</pages-to></options>' > papers/A.paper/pdf-options`))
	require.Equal(t, "2", send("three.pdf"), "the same PDF with other options")
	m.remount("--pdf-options=" + mounts)
	require.Equal(t, "2", send("secret.pdf"), "it is not processed without its password")
	require.Contains(t, m.sh(`cat papers/A.paper/job`), string(remote.JobFailed))
	m.sh(`printf '<options>\n<password>spring</password>\n</options>\n' > papers/A.paper/pdf-options`)
	require.Equal(t, "3", send("secret.pdf"))
	require.Equal(t, mounts, m.sh(`cat papers/B.paper/pdf-options`), "another paper")
	for _, wrong := range []string{"<options>", "spring", "<option/>"} {
		m.fails(`cp /dev/stdin papers/A.paper/pdf-options <<< '` + wrong + `'`)
		require.Contains(t, m.sh(`"$PAPERFS" why papers/A.paper/pdf-options`), "give an XML document with the root options")
	}
	require.Contains(t, m.sh(`cat papers/A.paper/pdf-options`), "spring")
	m.sh(`echo > papers/A.paper/pdf-options`)
	require.Equal(t, mounts, m.sh(`cat papers/A.paper/pdf-options`))
}
