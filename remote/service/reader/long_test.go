package reader_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestLongPagesScroll checks that a long page is as wide as it can be read, and that the wheel turns pages only at
// its end.
func TestLongPagesScroll(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: "Cover"}, {Width: 600, Height: 6000, Text: "Long"}, {Text: "Last"}}))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=2")
	b.place("Page 2 of 3")
	require.Greater(t, value[float64](b, `document.querySelector('#p2 .sheet').getBoundingClientRect().width`), 800.)
	require.Greater(t, value[float64](b, `document.querySelector('#p2').scrollHeight`), 8000.)
	b.wheel(120)
	b.until(`document.querySelector('#p2').scrollTop > 50`)
	b.place("Page 2 of 3")
	b.do(chromedp.Evaluate(`document.querySelector('#p2').scrollTo(0, 1e6)`, nil))
	b.do(chromedp.Evaluate(`new Promise(done => setTimeout(done, 250))`, nil, awaited))
	b.wheel(120)
	b.place("Page 3 of 3")
}
