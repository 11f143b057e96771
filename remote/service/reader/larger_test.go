package reader_test

import (
	"fmt"
	"github.com/chromedp/cdproto/emulation"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// over has the tiles that are shown.
const over = `[...document.querySelectorAll('.tile')]`

// covered has, of each zoomed page that is seen, how many pixels of the screen a pixel of its tiles has, once they cover
// what is seen of it; else it is empty.
const covered = `(() => {
	const view = visualViewport, main = document.querySelector('main').getBoundingClientRect(), all = []
	const left = Math.max(main.left, view.offsetLeft), right = Math.min(main.right, view.offsetLeft + view.width), top = Math.max(main.top, view.offsetTop), bottom = Math.min(main.bottom, view.offsetTop + view.height)
	for (const sheet of document.querySelectorAll('.sheet')) {
		const at = sheet.getBoundingClientRect(), tiles = [...sheet.querySelectorAll('.tile')].map(t => [t.getBoundingClientRect(), t.naturalWidth])
		for (let x = Math.max(left, at.left) + 2; x < Math.min(right, at.right) - 1; x += 20) for (let y = Math.max(top, at.top) + 2; y < Math.min(bottom, at.bottom) - 1; y += 20) {
			const tile = tiles.findLast(([r, wide]) => wide && r.left <= x && x <= r.right && r.top <= y && y <= r.bottom)
			if (!tile) return []
			all.push(devicePixelRatio * view.scale * tile[0].width / tile[1])
		}
	}
	return [...new Set(all)]
})()`

// TestAZoomedPageIsSharp checks that what is seen of a page at 400 % soon has at least one pixel for 1.3 of the screen, by
// the buttons and by a pinch, there and wherever it is moved to; that nothing moves when it comes; that few tiles are
// there; and that they go with the zoom.
func TestAZoomedPageIsSharp(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	for name, on := range map[string]struct {
		screen
		most int // tiles
	}{"desktop": {desktop, 8}, "tablet": {screen{width: 768, height: 1024, scale: 2, touch: true}, 12}, "phone": {phone, 9}, "old phone": {screen{width: 360, height: 640, scale: 2, touch: true}, 9}} {
		t.Run(name, func(t *testing.T) {
			b := on.open(t)
			b.visit(l.URL + "/book/?Page=2")
			sharp := func(what string) {
				t.Helper()
				began := time.Now()
				b.until(`(all => all.length && all.every(n => n <= 1.3))(` + covered + `)`)
				t.Logf("%s: %v after %v, %d tiles", what, value[[]float64](b, covered), time.Since(began).Round(10*time.Millisecond), value[int](b, over+`.length`))
				require.LessOrEqual(t, value[int](b, over+`.length`), on.most, what)
			}
			b.press("++++")
			b.until(`getComputedStyle(document.documentElement).getPropertyValue('--zoom') === '4'`)
			sharp("enlarged")
			b.do(chromedp.Evaluate(watching, nil))
			b.frames()
			b.do(chromedp.Evaluate(`moved.length = 0; document.querySelector('main').scrollBy(300, 1500)`, nil)) // the zoom itself moves all
			sharp("moved")
			b.frames()
			require.Empty(t, value[[][]any](b, `moved.filter(([, ...what]) => what.some(w => !/^(slider|place) /.test(w)))`), "nothing moves, but the bar may have gone to rest")
			b.picture("zoomed " + name)
			b.press("0")
			b.until(`!` + over + `.length`)
			if on.touch {
				b.do(emulation.SetPageScaleFactor(4))
				sharp("pinched")
				b.do(emulation.SetPageScaleFactor(1))
				b.until(`!` + over + `.length`)
			}
			b.expected("status of 503") // a busy machine is asked again
		})
	}
}

// TestALargerPictureThatDoesNotCome checks that the page stays as it is, and that the next zoom asks again.
func TestALargerPictureThatDoesNotCome(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	b := desktop.open(t)
	b.block(`*://*:*/book/Image.ashx\?*Tile*`)
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
	b.until(covered + `.length`)
}

// larger waits until as many requests for tiles are under way, and all are of one of the pages.
func (b *tab) larger(requests int, pages ...int) {
	b.Helper()
	var ids []string
	for _, n := range pages {
		ids = append(ids, value[string](b, fmt.Sprintf(`document.querySelector('#p%d img').src.match(/PageID=\d+&/)[0]`, n)))
	}
	under := func() (n int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for id := range b.open {
			if at := b.requests[id]; strings.Contains(at, "ImageType=Tile") {
				if !slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(at, id) }) {
					return -1
				}
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
	release := b.hold("*ImageType=Tile*")
	defer release()
	b.press("++++")
	b.larger(4, 2, 3)
	b.do(chromedp.Evaluate(`document.querySelector('#next').click()`, nil))
	b.place("Pages 4–5 of 8")
	b.larger(2, 4)
	b.press(kb.Escape)
	b.larger(0)
	release()
	b.press("++++")
	b.until(covered + `.length`)
}

// TestFewLargerPicturesAreHeld checks that a reader who reads many zoomed pages holds the tiles of what is seen only.
func TestFewLargerPicturesAreHeld(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(10))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=2")
	b.press("++++")
	for n := 2; n < 10; n += 2 {
		b.until(covered + `.length`)
		require.LessOrEqual(t, value[int](b, over+`.length`), 4)
		b.do(chromedp.Evaluate(`document.querySelector('#next').click()`, nil))
	}
	b.place("Page 10 of 10")
	b.until(covered + `.length`) // it begins at its corner, not at that of the stage
	require.LessOrEqual(t, value[int](b, over+`.length`), 4)
}

// TestATileThatComesLate checks that a tile that the service refuses for seconds, as one with much to do may, comes then, without
// the reader's doing.
func TestATileThatComesLate(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	b := phone.open(t)
	b.block(`*://*:*/book/Image.ashx\?*Tile*`)
	b.visit(l.URL + "/book/?Page=2")
	b.press("++++")
	b.until(`(i => i.complete && i.currentSrc.includes('Zoom'))(document.querySelector('#p2 img'))`)
	b.until(`performance.getEntriesByType('resource').filter(e => e.name.includes('Tile')).length >= 8`) // asked for twice, and given up before
	b.block()
	b.until(covered + `.length`)
	b.expected("")
}
