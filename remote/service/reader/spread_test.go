package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// landscape returns a PDF whose pages are A4, but those with the given numbers are slides.
func landscape(pages int, wide ...int) []byte {
	sheets := make([]pdftest.Sheet, pages)
	for i := range sheets {
		sheets[i].Text = fmt.Sprintf("Page %d", i+1)
	}
	for _, n := range wide {
		sheets[n-1].Width, sheets[n-1].Height = 960, 540
	}
	return pdftest.Document(sheets)
}

// TestALandscapePageStandsAlone checks that each landscape page is a view of its own which fills the window, between
// spreads and in slides.
func TestALandscapePageStandsAlone(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", landscape(8, 4))
	l.paper("slides", landscape(3, 1, 2, 3))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	for _, place := range []string{"Pages 2–3 of 8", "Page 4 of 8", "Pages 5–6 of 8", "Pages 7–8 of 8"} {
		b.press(kb.ArrowRight)
		b.place(place)
	}
	b.press(kb.ArrowLeft)
	b.place("Pages 5–6 of 8")
	b.press(kb.ArrowLeft)
	b.place("Page 4 of 8")
	b.until(`document.querySelector('#p4').getBoundingClientRect().left === 0`)
	require.InDelta(t, 1440, value[float64](b, `document.querySelector('#p4').offsetWidth`), 1)
	b.visit(l.URL + "/slides/")
	b.place("Page 1 of 3")
	b.press(kb.ArrowRight)
	b.place("Page 2 of 3")
	require.Greater(t, value[float64](b, `document.querySelector('#p2 img').getBoundingClientRect().width`), 1200.)
}

// TestABookIsReadFromTheRight checks that pages of a right-to-left language follow each other to the left: in a
// spread, by keys, by a swipe and in a larger page.
func TestABookIsReadFromTheRight(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(9))
	l.set(paper, "language", "he")
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.press(kb.ArrowLeft)
	b.place("Pages 2–3 of 9")
	b.until(`document.querySelector('#p3').getBoundingClientRect().left === 0 && document.querySelector('#p2').getBoundingClientRect().right === innerWidth`)
	b.press(kb.PageDown)
	b.place("Pages 4–5 of 9")
	b.press(kb.ArrowRight)
	b.place("Pages 2–3 of 9")
	b.press("+")
	b.until(`document.documentElement.classList.contains('zoomed')`)
	b.place("Pages 2–3 of 9")
	b.press(kb.Escape)
	b.until(`document.querySelector('#p3').getBoundingClientRect().left === 0`)
	b = phone.open(t)
	b.visit(l.URL + "/book/?Page=2")
	b.place("Page 2 of 9")
	b.swipe(40, 300)
	b.place("Page 3 of 9")
}
