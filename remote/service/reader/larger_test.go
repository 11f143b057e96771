package reader_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// over has the larger pictures that are shown.
const over = `[...document.querySelectorAll('.sheet img + img')]`

// TestAZoomedPageIsSharp checks that a page at 400 % has at least a pixel for each of the screen, or the largest picture
// there is; that nothing moves when it comes; and that it goes with the zoom.
func TestAZoomedPageIsSharp(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	for name, on := range map[string]struct {
		screen
		pages int     // at a time
		most  float64 // screen pixels of a pixel
	}{"desktop": {desktop, 2, 1}, "tablet": {screen{width: 768, height: 1024, scale: 2, touch: true}, 1, 2.3}} {
		t.Run(name, func(t *testing.T) {
			b := on.open(t)
			b.visit(l.URL + "/book/?Page=2")
			b.press("++")
			b.until(over + `.length`)
			b.frames()
			b.do(chromedp.Evaluate(watching, nil))
			b.press("++")
			b.until(fmt.Sprintf(`getComputedStyle(document.documentElement).getPropertyValue('--zoom') === '4' && %s.length === %d`, over, on.pages))
			b.frames()
			for _, scale := range value[[]float64](b, over+`.map(i => devicePixelRatio * i.getBoundingClientRect().width / i.naturalWidth)`) {
				t.Logf("%.2f", scale)
				require.LessOrEqual(t, scale, on.most)
			}
			require.True(t, value[bool](b, over+`.every(i => (a => (b => a.x === b.x && a.y === b.y && a.width === b.width)(i.previousElementSibling.getBoundingClientRect()))(i.getBoundingClientRect()))`))
			require.Empty(t, value[[][]any](b, `moved`), "nothing moves")
			b.picture("zoomed " + name)
			b.press("0")
			b.until(`!` + over + `.length`)
		})
	}
}

// TestAPhoneAsksForNoLargerPictures checks that the browser of a phone, which has little memory, stays with what it has.
func TestAPhoneAsksForNoLargerPictures(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	b := phone.open(t)
	b.visit(l.URL + "/book/?Page=2")
	b.press("++++")
	b.until(`(i => i.complete && i.naturalWidth && i.currentSrc.includes('Zoom'))(document.querySelector('#p2 img'))`)
	b.larger(0)
	require.False(t, value[bool](b, `performance.getEntriesByType('resource').some(e => e.name.includes('Larger'))`))
}

// TestALargerPictureThatDoesNotCome checks that the page stays as it is, and that the next zoom asks again.
func TestALargerPictureThatDoesNotCome(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	b := desktop.open(t)
	b.block(`*://*:*/book/Image.ashx\?*Larger*`)
	b.visit(l.URL + "/book/?Page=2")
	b.press("++++")
	b.until(`['#p2', '#p3'].every(p => (i => i.complete && i.naturalWidth && i.currentSrc.includes('Zoom'))(document.querySelector(p + ' img')))`)
	b.larger(0)
	require.Equal(t, "Pages 2–3 of 4", value[string](b, `document.querySelector('#place').textContent`))
	require.Zero(t, value[int](b, over+`.length`))
	require.False(t, value[bool](b, `!!document.querySelector('main img').dataset.again`))
	b.expected("")
	b.press(kb.Escape)
	b.block()
	b.press("++++")
	b.until(over + `.length === 2`)
}

// larger waits until some requests for larger pictures are under way.
func (b *tab) larger(requests int) {
	b.Helper()
	under := func() (n int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for id := range b.open {
			if strings.Contains(b.requests[id], "ImageType=Larger") {
				n++
			}
		}
		return n
	}
	require.Eventually(b, func() bool { return under() == requests }, testrun.Patience(), 10*time.Millisecond)
}

// TestATurnEndsTheLargerPicture checks that what is on its way to pages that were left is no longer asked for, and that
// the pages that are read then have theirs.
func TestATurnEndsTheLargerPicture(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(8))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=2")
	release := b.hold("*ImageType=Larger*")
	defer release()
	b.press("++++")
	b.larger(2)
	b.press(kb.PageDown)
	b.place("Pages 4–5 of 8")
	b.until(`performance.getEntriesByType('resource').filter(e => e.name.includes('Larger')).length === 2`) // they have ended
	b.larger(2)
	b.press(kb.Escape)
	b.larger(0)
	release()
	b.press("++++")
	b.until(`['#p4', '#p5'].every(p => document.querySelector(p + ' img + img'))`)
	require.Equal(t, 2, value[int](b, over+`.length`))
}

// TestFewLargerPicturesAreHeld checks that a reader who reads many zoomed pages holds those of the view only.
func TestFewLargerPicturesAreHeld(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(10))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=2")
	b.press("++++")
	for n := 2; n < 10; n += 2 {
		b.until(fmt.Sprintf(`['#p%d', '#p%d'].every(p => document.querySelector(p + ' img + img'))`, n, n+1))
		require.Equal(t, 2, value[int](b, over+`.length`))
		b.press(kb.PageDown)
	}
	b.place("Page 10 of 10")
	b.until(`document.querySelector('#p10 img + img')`)
	require.Equal(t, 1, value[int](b, over+`.length`))
}
