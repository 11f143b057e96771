package reader_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/browsertest"
)

// TestAPaperIsReadInABrowser reads one paper, so that each run of the tests runs the scripts: an
// error in one of them fails it. The tests that run with PAPERFS_TEST=all look closer.
func TestAPaperIsReadInABrowser(t *testing.T) {
	browsertest.Program(t)
	l := open(t)
	l.paper("book", booklet(4))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.place("Page 1 of 4")
	b.click("#next")
	b.place("Pages 2–3 of 4")
	b.at("?Page=2")
	b.key(kb.ArrowRight)
	b.place("Page 4 of 4")
	require.True(t, value[bool](b, `document.querySelector('#next').disabled`))
	b.seek("page 3 of")
	b.until(`document.querySelectorAll('#search li').length === 4`) // one in each line
	b.click("#search li a")
	b.place("Pages 2–3 of 4")
	b.until(`document.querySelectorAll('#p3 .mark').length > 0`)
}
