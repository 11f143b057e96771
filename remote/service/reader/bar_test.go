package reader_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// everyTool makes a paper show every tool in its bar.
func (l *library) everyTool(paper int64) {
	l.Helper()
	for name, value := range map[string]string{"iconPdf": "true", "checkout": "CheckoutByPrint"} {
		l.set(paper, name, value)
	}
}

// TestTheBarFitsItsWindow checks windows from 320 pixels on, in each language, with and without a
// full basket. Each target is 44 pixels high and wide, none meets another, and in a narrow window some are in the menu.
// A page is opened once for each language, in another window each time, which then takes the other forms.
func TestTheBarFitsItsWindow(t *testing.T) {
	browses(t)
	l := open(t)
	l.everyTool(l.paper("shop", chapters(120)))
	l.paper("book", chapters(12))
	windows := []screen{{width: 320, height: 568, touch: true}, {width: 568, height: 320, touch: true}, {width: 390, height: 844, touch: true},
		{width: 844, height: 390, touch: true}, {width: 768, height: 1024, touch: true}, {width: 1280, height: 800}}
	for _, path := range []string{"/shop/?Page=110", "/book/?Page=11", "/shop/?View=text&Page=110"} {
		b := desktop.open(t)
		for first, language := range []string{"en", "de", "fr", "da", "nl", "es"} {
			for i := range windows {
				window := windows[(first+i)%len(windows)]
				at := fmt.Sprintf("%s %v %s", path, window, language)
				b.do(emulation.SetDeviceMetricsOverride(window.width, window.height, 1, window.touch), emulation.SetTouchEmulationEnabled(window.touch))
				if i == 0 {
					b.visit(l.URL + path + "&ForceLanguage=" + language)
				}
				b.do(chromedp.Evaluate(`{ const full = document.querySelector('#cart span'); if (full) full.textContent = '12' }`, nil))
				b.do(chromedp.Evaluate(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil, awaited))
				require.Equal(t, []float64{0, 0, 0, 0}, value[[]float64](b, `(() => {
					const shown = [...document.querySelectorAll(':is(header, footer) :is(h1, #place, #slider, #number, button, a)')].filter(e => e.checkVisibility()), boxes = shown.map(e => e.getBoundingClientRect())
					const targets = shown.filter(e => e.matches('button, a')).map(e => e.getBoundingClientRect()), apart = .5
					const meet = (a, b) => a.left < b.right - apart && b.left < a.right - apart && a.top < b.bottom - apart && b.top < a.bottom - apart
					return [Math.max(0, document.body.scrollWidth - innerWidth), boxes.filter(r => r.right > innerWidth || r.left < 0 || r.top < 0 || r.bottom > innerHeight).length,
						boxes.filter((r, i) => boxes.some((other, j) => j > i && meet(r, other))).length, targets.filter(r => r.width < 43.9 || r.height < 43.9).length]
				})()`), "%s: pixels of excess width, protruding elements, overlapping ones, small targets", at)
				require.False(t, value[bool](b, `[...document.querySelectorAll('#tools > :not([hidden])')].some(e => getComputedStyle(e).display !== 'none' && !e.checkVisibility()) && !document.querySelector('#more').checkVisibility()`), "%s: the menu can be opened", at)
			}
		}
	}
}

// TestTheTitleHasRoomOnATablet checks that the tools leave room for the title.
func TestTheTitleHasRoomOnATablet(t *testing.T) {
	browses(t)
	l := open(t)
	l.everyTool(l.paper("shop", chapters(12)))
	b := screen{width: 768, height: 1024, scale: 1, touch: true}.open(t)
	b.visit(l.URL + "/shop/")
	b.do(chromedp.Evaluate(`document.querySelector('h1').textContent = 'A title of a usual length'`, nil))
	require.True(t, value[bool](b, `(h => h.scrollWidth <= h.clientWidth)(document.querySelector('h1'))`))
}

// TestTheMenuIsAKeyboards uses the menu by keyboard: it opens, leads to a dialog, and gets the focus back when the dialog closes.
func TestTheMenuIsAKeyboards(t *testing.T) {
	browses(t)
	l := open(t)
	l.everyTool(l.paper("shop", chapters(12)))
	b := screen{width: 320, height: 568, scale: 1}.open(t)
	b.visit(l.URL + "/shop/?Page=3")
	b.do(chromedp.Focus("#larger"), chromedp.KeyEvent(kb.Tab))
	b.until(`document.activeElement.id === 'more'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector('#tools').matches(':popover-open')`)
	b.picture("menu")
	b.do(chromedp.KeyEvent(kb.Tab))
	b.until(`document.activeElement.id === 'text'`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`document.activeElement.id === 'more' && !document.querySelector('#tools').matches(':popover-open')`)

	b.click("#larger")
	b.until(`document.documentElement.classList.contains('zoomed')`)
	b.click("#more")
	b.click("#whole")
	b.until(`!document.documentElement.classList.contains('zoomed') && !document.querySelector('#tools').matches(':popover-open')`)

	b.do(chromedp.EmulateViewport(1280, 800))
	b.until(`document.querySelector('#text').checkVisibility() && !document.querySelector('#more').checkVisibility()`) // a larger window has room in its bar
}

// TestAWindowThatTurnsKeepsTheFocus checks that rotating the window does not lose the focus: if the
// focused button is in the menu then, the menu's button gets it.
func TestAWindowThatTurnsKeepsTheFocus(t *testing.T) {
	browses(t)
	l := open(t)
	l.everyTool(l.paper("shop", chapters(12)))
	wide, narrow := chromedp.EmulateViewport(1600, 800), chromedp.EmulateViewport(320, 568)
	b := screen{width: 320, height: 568, scale: 1}.open(t)
	b.visit(l.URL + "/shop/")
	b.click("#more")
	b.until(`document.querySelector('#tools').matches(':popover-open')`)
	b.do(chromedp.Focus("#text"), wide)
	b.until(`!document.querySelector('#more').checkVisibility()`)
	require.Equal(t, "text", value[string](b, `document.activeElement.id`))
	b.do(narrow)
	b.until(`document.querySelector('#more').checkVisibility() && document.activeElement.id === 'more'`)
	require.False(t, value[bool](b, `document.querySelector('#tools').matches(':popover-open')`))
	b.do(chromedp.Focus("#overview"), wide)
	b.until(`!document.querySelector('#more').checkVisibility()`)
	require.Equal(t, "overview", value[string](b, `document.activeElement.id`), "a button that stays keeps the focus")
}

// TestTheMenuOfABarThatHides checks that the menu lies above the bar and works, also when the bar's time
// to hide comes and in browsers that do not focus a clicked button.
func TestTheMenuOfABarThatHides(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("shop", chapters(12))
	l.everyTool(paper)
	l.set(paper, "autoMaximize", "true")
	b := screen{width: 320, height: 568, scale: 1}.open(t)
	b.visit(l.URL + "/shop/")
	b.do(chromedp.Evaluate(`window.setTimeout = () => 0`, nil)) // the bar hides only when the test says so
	b.do(chromedp.MouseClickXY(100, 300))
	b.click("#more")
	b.until(`document.querySelector('#tools').matches(':popover-open')`)
	b.do(chromedp.Evaluate(`document.activeElement.blur(); document.documentElement.classList.remove('shown')`, nil))
	require.Equal(t, []bool{true, true}, value[[]bool](b, `(() => {
		const r = document.querySelector('#text').getBoundingClientRect(), menu = document.querySelector('#tools').getBoundingClientRect()
		return [menu.top >= 0 && menu.bottom <= document.querySelector('nav').getBoundingClientRect().top, document.elementFromPoint(r.left + 20, r.top + 20).closest('a')?.id === 'text']
	})()`), "the menu is above the bar and receives clicks")
	b.picture("menu of a bar that hides")
}

// TestTheMenuWithoutScripts checks that the bar has the tools that work without scripts, also on a phone.
func TestTheMenuWithoutScripts(t *testing.T) {
	browses(t)
	l := open(t)
	l.everyTool(l.paper("shop", chapters(12)))
	s := screen{width: 320, height: 568, scale: 2, touch: true, noScripts: true}
	b := s.open(t)
	b.do(chromedp.Navigate(l.URL + "/shop/"))
	b.click("#more")
	b.until(`['#chapters', '#text', 'header a[href^=Download]'].every(s => { const r = document.querySelector(s).getBoundingClientRect(); return r.width >= 44 && r.right <= innerWidth })`)
	b.picture("menu without scripts")
	b.click("#text")
	b.until(`document.documentElement.classList.contains('text')`)
}

// TestAWideBarHasNoMenu checks that no tool is hidden if all fit.
func TestAWideBarHasNoMenu(t *testing.T) {
	browses(t)
	l := open(t)
	l.everyTool(l.paper("shop", chapters(12)))
	b := screen{width: 2200, height: 900, scale: 1}.open(t)
	b.visit(l.URL + "/shop/")
	b.until(`!document.querySelector('#more').checkVisibility() && document.querySelector('#print').checkVisibility()`)
}

// TestTheBarLeavesItsButtonsWhereTheyAre checks that placed buttons do not move: a button that moves
// between press and release gets no click.
func TestTheBarLeavesItsButtonsWhereTheyAre(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	b := desktop.open(t)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`addEventListener('DOMContentLoaded', () => {
			window.moved = 0
			new MutationObserver(all => window.moved += all.length).observe(document.querySelector('#more').parentElement, {childList: true})
		})`).Do(ctx)
		return err
	}))
	b.visit(l.URL + "/book/")
	value[bool](b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))))`)
	require.Zero(t, value[int](b, `window.moved`))
}
