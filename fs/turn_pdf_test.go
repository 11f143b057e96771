package fs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestASecondPDFWaitsForTheFirst: whoever replaces a PDF at once need not know that the service
// makes pages of one PDF of a paper at a time.
func TestASecondPDFWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/C "$HOME/a" "$HOME/b"; cp "$HOME/two.pdf" "$HOME/a/X.pdf"; cp "$HOME/three.pdf" "$HOME/b/X.pdf"
		(cd "$HOME/a"; zip -q ../a.zip X.pdf); (cd "$HOME/b"; tar cf ../b.tar X.pdf)
		cp "$HOME/one.pdf" papers/C/X.pdf; cd papers/C; unzip -qo "$HOME/a.zip"; tar xf "$HOME/b.tar"`)
	m.sh(`"$PAPERFS" wait papers/C/X.paper; cmp "$HOME/three.pdf" papers/C/X.pdf; test -e papers/C/X.paper/pages/003; test -z "$(ls .paperfs/failed)"`)
	require.LessOrEqual(t, m.proxy.Count(remote.ProcessPDF), 5, "each is refused once")
	require.Empty(t, m.sh(`cat .paperfs/errors`))
}
