package reader_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestThePagesAreABook checks the stage: the sheets of a spread meet at the spine, are as large as their pictures,
// and leave a margin to the window and to the arrows.
func TestThePagesAreABook(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(12))
	for _, on := range []screen{desktop, {width: 768, height: 1024, scale: 2, touch: true}, phone} {
		b := on.open(t)
		b.visit(l.URL + "/book/?Page=2")
		require.Equal(t, []bool{true, true, true}, value[[]bool](b, `(() => {
			const main = document.querySelector('main').getBoundingClientRect(), sheets = [2, 3].map(n => document.querySelector('#p' + n + ' .sheet').getBoundingClientRect()), seen = sheets.filter(r => r.left < innerWidth)
			const img = document.querySelector('#p2 img'), ratio = img.getAttribute('width') / img.getAttribute('height')
			return [seen.length === (innerWidth > innerHeight ? 2 : 1) && (seen.length < 2 || Math.abs(seen[0].right - seen[1].left) < 1),
				seen.every(r => Math.abs(r.width / r.height - ratio) < .01 && r.top >= main.top + 8 && r.bottom <= main.bottom - 8 && r.left >= 8 && r.right <= innerWidth - 8),
				[...document.querySelectorAll('.edge')].every(e => { const r = e.getBoundingClientRect(); return r.top > main.bottom - 1 || seen.every(s => r.right <= s.left || r.left >= s.right) })]
		})()`), "%v: the sheets meet, have their picture's form and a margin, and no arrow covers them", on)
	}
}

// TestTheSliderLeadsToAPage uses the slider by mouse and by keys, and the field for a page number.
func TestTheSliderLeadsToAPage(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(41))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	at := value[[]float64](b, `(r => [r.left + r.width / 2, r.top + r.height / 2])(document.querySelector('#slider').getBoundingClientRect())`)
	hovers := func() bool { // the script comes when the mouse does, and listens from then on
		b.do(input.DispatchMouseEvent(input.MouseMoved, at[0]-1, at[1]), input.DispatchMouseEvent(input.MouseMoved, at[0], at[1]))
		return value[bool](b, `!document.querySelector('#peek').hidden`)
	}
	require.Eventually(t, hovers, testrun.Patience(), 20*time.Millisecond)
	b.until(`!document.querySelector('#peek').hidden && document.querySelector('#peek').textContent === '21' && document.querySelector('#peek img').naturalWidth > 0`)
	b.place("Page 1 of 41")
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	b.place("Pages 20–21 of 41")
	b.press(kb.ArrowRight)
	b.place("Pages 22–23 of 41")
	require.Equal(t, []string{"22", "22", "Pages 22–23 of 41"}, value[[]string](b, `(s => [s.value, document.querySelector('#number').value, s.getAttribute('aria-valuetext')])(document.querySelector('#slider'))`))
	b.do(chromedp.Focus("#number"), chromedp.Evaluate(`document.querySelector('#number').select()`, nil), chromedp.KeyEvent("7"+kb.Enter))
	b.place("Pages 6–7 of 41")
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.place("Pages 22–23 of 41")
}

// TestALeafTurns checks that a leaf, which is the pages themselves with their shadow, fold and badges, turns between spreads for
// less than a quarter of a second, that the next turn ends it, and that a reader who wants no motion gets none.
func TestALeafTurns(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(12))
	var products []store.Link
	for n := 1; n <= 12; n++ {
		products = append(products, store.Link{Page: n, X: .1, Y: .3, Width: .3, Height: .1, LinkType: "shopitem", Param: "<item><name>Rake</name><price>29.25</price></item>"})
	}
	l.links(paper, products...)
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=4")
	b.press("Shift")
	b.until(`performance.getEntriesByType('resource').some(e => e.name.includes('/turn.'))`)
	const leaves = `(() => {
		document.querySelector('#next').click()
		const all = document.querySelector('main').getAnimations({subtree: true})
		for (const one of all) { one.pause(); one.currentTime = 60 }
		return all.filter(a => a.effect.target.matches('.sheet')).map(a => a.effect.target.parentElement.id + ' ' + a.effect.getTiming().duration)
	})()`
	b.until(`(document.querySelector('#next').click(), document.querySelector('.turns') || (document.querySelector('#previous').click(), false))`)
	require.Equal(t, []string{"p7 180", "p8 180"}, value[[]string](b, leaves), "a turn in the middle of another")
	require.True(t, value[bool](b, `['#p6', '#p7', '#p9'].every(p => (r => r.left >= 0 && r.right <= innerWidth && r.width > 100)(document.querySelector(p + ' .sheet').getBoundingClientRect()))`), "the spread that is left is seen still")
	require.True(t, value[bool](b, `(e => e.checkVisibility() && document.elementFromPoint(...(r => [r.left + r.width / 2, r.top + r.height / 2])(e.getBoundingClientRect())).closest('#p7'))(document.querySelector('#p7 use')) !== null`), "the leaf has its badges")
	b.picture("leaf")
	b.do(chromedp.Evaluate(`document.querySelector('main').getAnimations({subtree: true}).forEach(a => a.play())`, nil))
	b.place("Pages 8–9 of 12")
	b.until(`!document.querySelector('.turns') && !document.querySelector('main').getAnimations({subtree: true}).length`)
	b.until(`(r => r[0].right === r[1].left && r[0].left > 0)(['#p8', '#p9'].map(p => document.querySelector(p + ' .sheet').getBoundingClientRect()))`)
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	require.Empty(t, value[[]string](b, leaves))
	b.place("Pages 10–11 of 12")
}

// TestBadgesKeepTheirSize checks that badges and the fold are no larger on an enlarged page.
func TestBadgesKeepTheirSize(t *testing.T) {
	browses(t)
	l := open(t)
	l.links(l.paper("book", booklet(4)), store.Link{Page: 2, X: .1, Y: .3, Width: .3, Height: .1, LinkType: "shopitem", Param: "<item><name>Rake</name><price>29.25</price></item>"})
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=2")
	const sizes = `[document.querySelector('#p2 use').getBoundingClientRect().width, parseFloat(getComputedStyle(document.querySelector('#p2 .sheet'), '::after').width)]`
	before := value[[]float64](b, sizes)
	b.click("#larger")
	b.until(`document.documentElement.classList.contains('zoomed')`)
	require.InDeltaSlice(t, before, value[[]float64](b, sizes), 1)
	require.Less(t, before[0], value[float64](b, `document.querySelector('#p2 .sheet').getBoundingClientRect().width / 20`))
}

// TestTheToolsLeave checks that the tools leave a reader with a mouse alone, but title and page number stay, and that
// the tools come back.
func TestTheToolsLeave(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(12))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	const seen = `['#seek', '#slider', '#next', 'h1', '#place'].map(s => { let e = document.querySelector(s), all = 1; for (; e; e = e.parentElement) all *= getComputedStyle(e).opacity; return all === 1 })`
	b.do(chromedp.MouseEvent(input.MouseMoved, 700, 400))
	require.Equal(t, []bool{true, true, true, true, true}, value[[]bool](b, seen))
	b.until(`JSON.stringify(` + seen + `) === '[false,false,false,true,true]'`)
	b.do(chromedp.MouseEvent(input.MouseMoved, 710, 410))
	b.until(`JSON.stringify(` + seen + `) === '[true,true,true,true,true]'`)
}
