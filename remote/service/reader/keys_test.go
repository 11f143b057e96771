package reader_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// press presses a key, wherever the focus is.
func (b *tab) press(keys string) {
	b.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// TestKeysNeedNoFocus checks that keys turn pages before any click and after a button was used, but not in a
// dialog, and that Escape leaves the zoom.
func TestKeysNeedNoFocus(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(12))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.press(kb.ArrowRight)
	b.place("Pages 2–3 of 12")
	b.click("#next")
	b.place("Pages 4–5 of 12")
	b.press(kb.ArrowRight)
	b.place("Pages 6–7 of 12")
	require.Equal(t, "none", b.style("main", "", "outline-style"), "reading by keys draws no frame round the window")
	b.click("#overview")
	b.until(`document.querySelector('#thumbs').open`)
	b.press(kb.End)
	b.press(kb.Escape)
	b.until(`!document.querySelector('#thumbs').open`)
	b.place("Pages 6–7 of 12")
	b.seek("page 3")
	b.press(kb.ArrowLeft + kb.Home)
	b.press(kb.Escape)
	b.until(`!document.querySelector('#search').open`)
	b.place("Pages 6–7 of 12")
	b.press("+")
	b.until(`document.documentElement.classList.contains('zoomed')`)
	left := value[float64](b, `document.querySelector('main').scrollLeft`)
	b.press(kb.ArrowRight)
	require.Greater(t, value[float64](b, `document.querySelector('main').scrollLeft`), left, "in a larger page, arrows move it")
	b.press(kb.Escape)
	b.until(`!document.documentElement.classList.contains('zoomed')`)
	b.place("Pages 6–7 of 12")
}
