package reader_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// aligned computes the position of the hotspot "spot" in its page's picture, as fractions.
// object-fit and object-position determine where the picture lies in its box.
const aligned = `(() => {
	const img = document.querySelector('a[aria-label=spot]').closest('.sheet').querySelector('img'), r = img.getBoundingClientRect()
	const wide = img.getAttribute('width'), high = img.getAttribute('height')
	const scale = Math.min(r.width / wide, r.height / high), w = wide * scale, h = high * scale
	const [x, y] = getComputedStyle(img).objectPosition.split(' ').map(v => parseFloat(v) / 100)
	const s = document.querySelector('a[aria-label=spot] rect').getBoundingClientRect()
	return [(s.left - r.left - (r.width - w) * x) / w, (s.top - r.top - (r.height - h) * y) / h, s.width / w, s.height / h]
})()`

// TestHotspotsLieOnThePicture checks both sides of a spread, a single page, and a zoomed one.
func TestHotspotsLieOnThePicture(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(5))
	for _, page := range []int{1, 2, 3} {
		l.links(paper, store.Link{Page: page, X: .25, Y: .5, Width: .4, Height: .2, LinkType: "url", URL: "https://example.org/", AltText: "spot"})
		for _, s := range []screen{desktop, phone, {width: 1600, height: 500, scale: 1}, {width: 900, height: 1000, scale: 1}} {
			b := s.open(t)
			b.visit(l.URL + "/book/#p" + string(rune('0'+page)))
			b.until(`document.querySelector('a[aria-label=spot]').closest('.sheet').querySelector('img').naturalWidth > 0`)
			require.InDeltaSlice(t, []float64{.25, .5, .4, .2}, value[[]float64](b, aligned), .004, "page %d, %v", page, s)
			b.key("+")
			b.until(`document.documentElement.classList.contains('zoomed')`)
			require.InDeltaSlice(t, []float64{.25, .5, .4, .2}, value[[]float64](b, aligned), .004, "page %d, %v, enlarged", page, s)
		}
	}
}

// TestHotspotsAreFollowed follows hotspots by mouse and by keyboard.
func TestHotspotsAreFollowed(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(5))
	l.links(paper,
		store.Link{Page: 1, X: .1, Y: .1, Width: .3, Height: .1, LinkType: "page", URL: "#p4", AltText: "page"},
		store.Link{Page: 1, X: .1, Y: .3, Width: .3, Height: .1, LinkType: "shopitem", Param: "<item><name>Rake</name><price>29.25</price><descr>Steel</descr></item>"},
		store.Link{Page: 1, LinkType: "url", URL: "/book/?Page=5", Target: "_self", ShapeType: "polygon", PolygonCoords: ".1,.5 .4,.5 .4,.8 .1,.8", AltText: "polygon"})
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	focus := func(name string) {
		b.do(chromedp.Evaluate(`document.querySelector('a[aria-label="`+name+`"]').focus()`, nil))
	}
	for _, act := range []func(){
		func() { b.click("a[aria-label=Rake] rect") },
		func() { focus("Rake"); b.do(chromedp.KeyEvent(kb.Enter)) },
		func() { focus("Rake"); b.do(chromedp.KeyEvent(" ")) },
	} {
		act()
		b.until(`document.querySelector('#item').open && /Rake\s*29.25\s*Steel/.test(document.querySelector('#item').innerText)`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until(`!document.querySelector('#item').open`)
	}
	b.do(chromedp.Evaluate(`document.querySelector('main').focus()`, nil), chromedp.KeyEvent(kb.Tab))
	b.until(`document.activeElement.getAttribute('aria-label') === 'page'`) // in the order of the page
	b.do(chromedp.KeyEvent(kb.Enter))
	b.place("Pages 4–5 of 5")
	b.key(kb.Home)
	b.place("Page 1 of 5")
	b.click("a[aria-label=polygon] polygon")
	b.place("Pages 4–5 of 5")
}

// TestZoomInPlace zooms by button, key and double click, up to the limit, with the large picture.
func TestZoomInPlace(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(5))
	l.set(paper, "maxZoom", "250")
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=2")
	zoom := func(want string) {
		t.Helper()
		b.until(`getComputedStyle(document.documentElement).getPropertyValue('--zoom') === '` + want + `'`)
	}
	b.until(`document.querySelector('#p2 img').currentSrc.includes('Normal')`)
	b.click("#larger")
	zoom("1.5")
	b.until(`document.querySelector('#p2 img').currentSrc.includes('Zoom') && document.querySelector('#p2 img').complete`)
	b.place("Pages 2–3 of 5")
	b.key("+")
	zoom("2.25")
	b.key("+")
	zoom("2.5")
	require.True(t, value[bool](b, `document.querySelector('#larger').disabled`))
	b.key("0")
	zoom("1")
	b.place("Pages 2–3 of 5")
	b.until(`document.querySelector('#p2').getBoundingClientRect().left === 0`)
	b.do(chromedp.MouseClickXY(400, 400, chromedp.ClickCount(2)))
	zoom("2")
	b.do(chromedp.MouseClickXY(400, 400, chromedp.ClickCount(2)))
	zoom("1")
	b.place("Pages 2–3 of 5")
}
