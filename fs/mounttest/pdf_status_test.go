package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/service/kit/pdftest"
)

// TestStatusNamesPDFsThatAreWritten checks that status names a PDF being written, but none that is
// being sent or has a temporary name.
func TestStatusNamesPDFsThatAreWritten(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; cp "$HOME/two.pdf" papers/C/Sent.pdf; cp "$HOME/two.pdf" papers/C/x.part`)
	out := m.sh(`exec 3> papers/C/X.pdf; cat "$HOME/two.pdf" >&3; "$PAPERFS" status .`)
	assert.Regexp(t, `(?m)^writing: +papers/C/X\.pdf$`, out)
	assert.NotContains(t, out, "Sent.pdf")
	assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "writing:")
}

// TestPagesWithoutTheirProductsAreThere checks that errors does not report missing pages.
func TestPagesWithoutTheirProductsAreThere(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--pdf-options", "<options><import-links>true</import-links><import-links-styleid>1</import-links-styleid></options>")
	m.put("shop.pdf", pdftest.Document([]pdftest.Sheet{{Text: "one", Links: []pdftest.Link{{Left: 100, Right: 300, Bottom: 100, Top: 200, URI: "ipaper://Shop/RK-7"}}}}))
	m.sh(`mkdir papers/C; cp "$HOME/shop.pdf" papers/C/X.pdf`)
	m.fails(`"$PAPERFS" wait papers/C/X.paper`)
	m.sh(`cat papers/C/X.paper/job`)
	assert.Contains(t, m.sh(`cat .paperfs/errors`), `the pages are there, but not all of their links and products: Page 1: no table has a product with the Id`)
	assert.NotContains(t, m.sh(`cat .paperfs/errors`), "could not make pages")
	assert.Equal(t, "one", m.sh(`cat papers/C/X.paper/pages/*/text.txt`))
}

// TestRetryNamesADirectoryThatIsThere checks that retry names an existing directory for content
// with a temporary name in a removed one.
func TestRetryNamesADirectoryThatIsThere(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir -p papers/C/D; echo x > papers/C/D/x.part`)
	m.remount("--allow-delete")
	m.sh(`rmdir papers/C/D`)
	assert.Contains(t, m.fails(`"$PAPERFS" retry .paperfs/failed/x.part`), m.dir+"/papers/C/NAME.pdf")
}
