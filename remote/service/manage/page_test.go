package manage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
)

// TestDropsBecomePapers drops real files on the page: each becomes a draft, and is shown with its cover; what is no PDF says so.
func TestDropsBecomePapers(t *testing.T) {
	h := open(t)
	key := h.account("anna", remote.Editor)
	b := desk.browser(t)
	b.signIn(h, "anna", key)
	b.picture("empty")
	b.drop("main", file(t, "Spring_sale 2027.pdf", pdftest.Text("Spring", "two", "three")), file(t, "Über uns <b>.pdf", pdftest.Text("Us")), file(t, "notes.txt", []byte("no")),
		file(t, "broken.pdf", []byte("%PDF-1.7 and no more")))
	b.says("This is not a PDF.")
	b.until(`document.querySelectorAll('#cards img').length === 2`)
	b.says("Spring sale 2027")
	b.says("Über uns <b>")
	b.until(`document.querySelectorAll('.state[data-look=hidden]').length === 3`)
	b.until(`document.querySelectorAll('#cards .bad').length === 2`)
	b.picture("dropped")
	require.Equal(t, 0, value[int](b, `document.querySelectorAll('#cards b').length`))
	b.click("span.name=Spring sale 2027")
	b.says("Publish")
	b.until(`document.querySelector('aside img')?.naturalWidth > 0`)
	b.picture("paper")
	b.click("button=Publish")
	b.until(`document.querySelector('.state[data-look=public]')`)
	b.types("aside label:nth-of-type(1) input", "Spring")
	b.until(`document.querySelector('.folder, li a[aria-current] .name').textContent === 'Spring'`)
	b.picture("published")
}
