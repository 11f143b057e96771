package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// chapters makes a booklet with bookmarks, and a link to page 4 on the first page.
func chapters(pages int) []byte {
	var sheets []pdftest.Sheet
	for n := 1; n <= pages; n++ {
		sheets = append(sheets, pdftest.Sheet{Text: fmt.Sprintf("Heading %d\nSome words of page %d\nthat go on in another line.", n, n)})
	}
	sheets[0].To = 4
	return pdftest.Document(sheets, pdftest.Bookmark{Title: "Begin & welcome", Page: 1}, pdftest.Bookmark{Title: "Roses", Page: 4}, pdftest.Bookmark{Title: "Thorns", Page: 4}, pdftest.Bookmark{Title: "Index", Page: pages})
}

// TestContentsLeadToPages checks that the PDF's titles lead to pages, and that closing returns the focus.
func TestContentsLeadToPages(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", chapters(8))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.click("#chapters")
	b.until(`document.querySelector('#contents').open`)
	require.Equal(t, []string{"Begin & welcome 1", "Roses 4", "Thorns 4", "Index 8"}, value[[]string](b, `[...document.querySelectorAll('#contents li > a')].map(a => a.textContent)`))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`document.activeElement.id === 'chapters'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector('#contents').open`)
	b.picture("contents")
	require.Equal(t, []any{"Begin & welcome 1", "Close"}, value[[]any](b, `[document.querySelector('#contents [aria-current]').textContent, document.querySelector('#contents .tip').textContent]`))
	b.click(`#contents a[href="#p4"]`)
	b.place("Pages 4–5 of 8")
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.place("Page 1 of 8")
	require.Equal(t, "Page 4: Roses", value[string](b, `document.querySelector('#p1 svg a').getAttribute('aria-label')`), "a link without text under it is named after its target")

	l.paper("plain", booklet(2))
	b.visit(l.URL + "/plain/")
	require.False(t, value[bool](b, `!!document.querySelector('#chapters') || !!document.querySelector('#contents')`))
}

// TestContentsWithoutScripts checks that links open and close the contents without scripts.
func TestContentsWithoutScripts(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", chapters(8))
	s := desktop
	s.noScripts = true
	b := s.open(t)
	b.do(chromedp.Navigate(l.URL + "/book/"))
	b.click("#chapters")
	b.click("#contents p a")
	b.until(`!document.querySelector('#contents').checkVisibility()`)
	b.click("#chapters")
	b.click(`#contents a[href="#p4"]`)
	b.until(`!document.querySelector('#contents').checkVisibility() && document.querySelector('#p4').getBoundingClientRect().left >= 0 && document.querySelector('#p4').getBoundingClientRect().right <= innerWidth`)
}
