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

// TestAZoomedPageIsReadToItsEnd checks that Space and Page Down move a zoomed page up to its end before they turn it, and
// that the next one begins at its top; Page Up and Shift and Space lead back in the same way.
func TestAZoomedPageIsReadToItsEnd(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(12))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=4")
	b.press("+++")
	b.until(`document.documentElement.classList.contains('zoomed')`)
	b.do(chromedp.Evaluate(`document.querySelector('main').scrollTop = 0`, nil))
	const top = `document.querySelector('main').scrollTop`
	for _, key := range []string{" ", kb.PageDown} {
		place, before, moved := value[string](b, `document.querySelector('#place').textContent`), -1., 0
		for value[string](b, `document.querySelector('#place').textContent`) == place {
			now := value[float64](b, top)
			require.Greater(t, now, before, "each press moves the page, and the last one turns it")
			before, moved = now, moved+1
			b.press(key)
			b.frames()
		}
		require.GreaterOrEqual(t, moved, 3, "%q", key)
		require.Less(t, value[float64](b, top), before)
	}
	b.place("Pages 8–9 of 12")
	b.press(kb.PageUp)
	b.place("Pages 6–7 of 12")
}
