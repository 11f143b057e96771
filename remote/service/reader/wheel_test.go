package reader_test

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// framed opens a page of a shop that has an address in a frame, and scrolls. Its frame is called f.
func (b *tab) framed(l *library, address string) {
	b.Helper()
	const outer = `<!DOCTYPE html><link rel=icon href="data:,"><body style="margin:0;height:4000px"><iframe style="width:900px;height:700px;border:0" src="%s"></iframe><script>const f = frames[0]</script>`
	chromedp.ListenTarget(b.ctx, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			go func() {
				_ = chromedp.Run(b.ctx, fetch.FulfillRequest(e.RequestID, 200).WithBody(base64.StdEncoding.EncodeToString(fmt.Appendf(nil, outer, address)))) // the tab may have closed
			}()
		}
	})
	b.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: l.URL + "/outer"}}), chromedp.Navigate(l.URL+"/outer"), fetch.Disable())
	b.until(`f.document.readyState === 'complete' && f.document.documentElement.classList.contains('ready')`)
}

// wheel rolls the wheel over the pages by one notch.
func (b *tab) wheel(by float64) {
	b.Helper()
	b.frames() // before the first, the browser scrolls without asking the page
	b.do(input.DispatchMouseEvent(input.MouseWheel, 700, 450).WithDeltaX(0).WithDeltaY(by))
}

// rolling has a function that rolls the wheel or moves two fingers over the pages: each event has how far it moves, and
// comes some milliseconds after the last one. It returns how many of them the page left to the browser.
const rolling = `(() => {
	let at = performance.now()
	window.roll = (all, every = 16) => all.filter(by => {
		const event = new WheelEvent('wheel', {deltaY: by, bubbles: true, cancelable: true})
		Object.defineProperty(event, 'timeStamp', {value: at += every})
		return document.querySelector('main').dispatchEvent(event)
	}).length
	window.rest = () => { at += 1000 }
	// As a trackpad tells it: the fingers accelerate for a while, and what they pushed slows down by itself.
	window.swipe = [...Array(12).keys()].map(i => 2 + 4 * i).concat([...Array(48).keys()].map(i => 46 * .92 ** i))
})()`

// TestAGestureTurnsOnePage checks that two fingers, which send sixty events, turn one view, also at a constant speed,
// and that a second swipe turns the next one though the first one has not come to rest. A mouse turns one with each notch.
func TestAGestureTurnsOnePage(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(40))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.do(chromedp.Evaluate(rolling, nil))
	for _, c := range []struct {
		events string
		place  string
	}{
		{`roll(swipe)`, "Pages 2–3 of 40"},
		{`roll(Array(60).fill(9))`, "Pages 4–5 of 40"},
		{`roll(Array(60).fill(40))`, "Pages 6–7 of 40"},
		{`roll([...swipe.slice(0, 40), ...swipe])`, "Pages 10–11 of 40"},
		{`roll(swipe.map(by => -by))`, "Pages 8–9 of 40"},
		{`roll([120, 120, 120], 250)`, "Pages 14–15 of 40"},
		{`roll([-120, -120, -120], 100)`, "Pages 10–11 of 40"}, // nobody reads that fast
		{`roll([...swipe, ...swipe.map(by => -by)])`, "Pages 10–11 of 40"},
	} {
		require.Zero(t, value[int](b, `(rest(), `+c.events+`)`), c.events)
		require.Equal(t, c.place, value[string](b, `document.querySelector('#place').textContent`), c.events)
	}
	b.do(chromedp.Evaluate(`document.querySelector('#slider').dispatchEvent(Object.assign(new Event('change'), document.querySelector('#slider').value = 40))`, nil))
	b.place("Page 40 of 40")
	require.Equal(t, 60, value[int](b, `(rest(), roll(swipe))`), "there is no next page")
	require.Equal(t, 0, value[int](b, `(rest(), roll(swipe.map(by => -by)))`))
	require.Equal(t, 0, value[int](b, `(rest(), roll(swipe))`), "what is left of a gesture that turned to the last page moves nothing")
}

// TestTheWheelInAFrame checks that the wheel over the pages turns them and leaves the outer page where it is, which scrolls
// when there is no further page; and that Ctrl and the wheel enlarge the pages, and not the outer page.
func TestTheWheelInAFrame(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	b := desktop.open(t)
	b.framed(l, "/book/")
	notch := func(by float64, keys input.Modifier) {
		b.do(chromedp.Evaluate(`new Promise(done => setTimeout(done, 250))`, nil, awaited))
		b.frames()
		b.do(input.DispatchMouseEvent(input.MouseWheel, 450, 350).WithDeltaX(0).WithDeltaY(by).WithModifiers(keys))
	}
	at := func(words string) {
		b.until(fmt.Sprintf(`f.document.querySelector('#place').textContent === %q`, words))
	}
	notch(120, 0)
	at("Pages 2–3 of 4")
	notch(120, 0)
	at("Page 4 of 4")
	require.Zero(t, value[float64](b, `scrollY`))
	notch(120, 0)
	b.until(`scrollY > 0`)
	at("Page 4 of 4")
	b.do(chromedp.Evaluate(`scrollTo(0, 0)`, nil))
	b.until(`scrollY === 0`)
	notch(-120, input.ModifierCtrl)
	b.until(`f.document.documentElement.classList.contains('zoomed')`)
	notch(-120, input.ModifierCtrl)
	b.until(`f.getComputedStyle(f.document.documentElement).getPropertyValue('--zoom') > 1.5`)
	for range 3 { // in the page first, whose end does not scroll the outer one
		notch(12000, 0)
	}
	require.Equal(t, []float64{0, 1, 1}, value[[]float64](b, `[scrollY, visualViewport.scale, devicePixelRatio]`))
	require.Greater(t, value[float64](b, `f.document.querySelector('main').scrollTop`), 0.)
	for range 3 {
		notch(120, input.ModifierCtrl)
	}
	b.until(`!f.document.documentElement.classList.contains('zoomed')`)
}
