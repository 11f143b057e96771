package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// key presses a key while the pages have the focus.
func (b *tab) key(keys string) {
	b.Helper()
	b.do(chromedp.Evaluate(`document.querySelector('main').focus()`, nil), chromedp.KeyEvent(keys))
}

// at waits until the address has these parameters.
func (b *tab) at(query string) {
	b.Helper()
	b.until(fmt.Sprintf("location.search + location.hash === %q", query))
}

// TestSpreadsAreTurned turns spreads by buttons, keys, scrolling, addresses and Back.
func TestSpreadsAreTurned(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(12))
	l.links(paper, store.Link{Page: 2, X: .1, Y: .1, Width: .5, Height: .2, LinkType: "page", URL: "#p9", AltText: "to nine"})
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.place("Page 1 of 12")
	b.at("")
	require.True(t, value[bool](b, `document.querySelector('#previous').disabled`))
	b.click("#next")
	b.place("Pages 2–3 of 12")
	b.at("?Page=2")
	b.key(kb.ArrowRight)
	b.place("Pages 4–5 of 12")
	b.key(kb.PageDown)
	b.place("Pages 6–7 of 12")
	b.key(kb.ArrowLeft)
	b.place("Pages 4–5 of 12")
	b.key(kb.PageUp)
	b.place("Pages 2–3 of 12")
	b.key(kb.End)
	b.place("Page 12 of 12")
	require.True(t, value[bool](b, `document.querySelector('#next').disabled`))
	b.key(kb.Home)
	b.place("Page 1 of 12")
	b.do(chromedp.Evaluate(`document.querySelector('main').scrollLeft = innerWidth * 2.9`, nil))
	b.place("Pages 6–7 of 12")
	b.until(`document.querySelector('#p6').getBoundingClientRect().left === 0`) // scrolling snaps to the spread

	b.visit(l.URL + "/book?Page=3")
	b.place("Pages 2–3 of 12")
	b.at("?Page=2")
	b.until(`document.querySelector('#p2').getBoundingClientRect().left === 0`) // the link stands still
	b.click(`a[aria-label="to nine"] rect`)
	b.place("Pages 8–9 of 12")
	b.at("?Page=8")
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.place("Pages 2–3 of 12")
	b.until(`document.querySelector('#p2').getBoundingClientRect().left === 0`)

	l.set(paper, "pageLayout", "single")
	b.visit(l.URL + "/book/?Page=3")
	b.place("Page 3 of 12")
	b.click("#next")
	b.place("Page 4 of 12")
}

// TestAPhoneShowsOnePage checks that a phone shows one page, and that a swipe turns it.
func TestAPhoneShowsOnePage(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(6))
	b := phone.open(t)
	b.visit(l.URL + "/book/")
	b.place("Page 1 of 6")
	b.swipe(300, 40)
	b.place("Page 2 of 6")
	b.until(`document.querySelector('#p2').getBoundingClientRect().left === 0`)
	b.until(`document.querySelector('#p2 img').currentSrc.includes('Zoom')`) // the screen has three device pixels per CSS pixel
	require.LessOrEqual(t, value[int](b, `document.documentElement.scrollWidth`), 390, "the page is no wider than the window")
}

// swipe moves a finger sideways.
func (b *tab) swipe(from, to float64) {
	b.Helper()
	touch := func(kind input.TouchType, points ...*input.TouchPoint) chromedp.Action {
		return input.DispatchTouchEvent(kind, points)
	}
	b.do(touch(input.TouchStart, &input.TouchPoint{X: from, Y: 500}))
	for i := range 10 {
		b.do(touch(input.TouchMove, &input.TouchPoint{X: from + (to-from)*float64(i+1)/10, Y: 500}))
	}
	b.do(touch(input.TouchEnd))
}

// TestOverviewLeadsToAPage checks that the overview leads to a page, and returns the focus when it closes.
func TestOverviewLeadsToAPage(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(12))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.do(chromedp.Evaluate(`document.querySelector('#overview').focus()`, nil), chromedp.KeyEvent(kb.Enter))
	b.until(`document.activeElement.getAttribute('href') === '#p1' && document.activeElement.closest('dialog').open`)
	b.until(`[...document.querySelectorAll('#thumbs img')].slice(0, 8).every(img => img.complete && img.naturalWidth > 0)`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`document.activeElement.id === 'overview'`)
	b.click("#overview")
	b.click(`#thumbs a[href="#p10"]`)
	b.place("Pages 10–11 of 12")
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.place("Page 1 of 12")
}

// TestWithoutScripts checks that the page is complete without scripts.
func TestWithoutScripts(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(12))
	l.links(paper, store.Link{Page: 2, X: .1, Y: .1, Width: .5, Height: .2, LinkType: "page", URL: "#p9", AltText: "to nine"})
	s := desktop
	s.noScripts = true
	b := s.open(t)
	b.do(chromedp.Navigate(l.URL + "/book/?Page=3"))
	b.until(`location.hash === '#p3' && document.querySelector('#p3').getBoundingClientRect().right <= innerWidth`)
	b.until(`document.querySelector('#p3 img').naturalWidth > 0`)
	require.Zero(t, value[int](b, `[...document.querySelectorAll('button')].filter(b => b.checkVisibility()).length`), "buttons that need scripts are hidden")
	b.click(`a[aria-label="to nine"] rect`)
	b.until(`location.hash === '#p9' && document.querySelector('#p9').getBoundingClientRect().right <= innerWidth && document.querySelector('#p9').getBoundingClientRect().left >= 0`)
	b.click("#text")
	b.until(`document.documentElement.classList.contains('text') && document.querySelector('#p1 .words p').getBoundingClientRect().height > 20`)
	b.until(`document.body.innerText.includes('This is page 12 of the booklet')`)
	b.click("#text")
	b.until(`location.search === '' && document.querySelector('#p1 img').naturalWidth > 0`)
}

// TestTextInPlaceOfPictures checks that the text view opens at the same page, and fits any width.
func TestTextInPlaceOfPictures(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(12))
	b := screen{width: 320, height: 256, scale: 4}.open(t) // 1280 by 1024 at 400 %
	b.visit(l.URL + "/book/?Page=5")
	b.place("Pages 4–5 of 12")
	b.do(chromedp.Evaluate(`document.querySelector('#text').click()`, nil))
	b.until(`document.documentElement.classList.contains('text') && document.documentElement.classList.contains('ready')`)
	b.until(`Math.abs(document.querySelector('#p4').getBoundingClientRect().top) < 100`)
	require.LessOrEqual(t, value[int](b, `document.documentElement.scrollWidth`), 320)
	wide := desktop.open(t)
	wide.visit(l.URL + "/book/?View=text")
	require.Equal(t, value[int](wide, `document.querySelector('#p1').offsetWidth`), value[int](wide, `document.querySelector('#p12').offsetWidth`), "the last page is as wide as the others")
}

// TestTheTextViewBeginsAtItsPage checks that the text view opens at its page, even if a phone
// enlarges the text after the first layout.
func TestTheTextViewBeginsAtItsPage(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("manual", manual(130))
	for _, on := range []screen{desktop, phone} {
		b := on.open(t)
		b.visit(l.URL + "/manual/?View=text&Page=60")
		b.do(chromedp.Evaluate(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil, awaited))
		b.place("Page 60 of 130")
		require.Less(t, value[float64](b, `Math.abs(document.querySelector('#p60').getBoundingClientRect().top)`), 100.)
	}
}
