package reader_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// beacons returns the messages that a tab has sent, in order.
func beacons(b *tab) []string { return value[[]string](b, `window.told || []`) }

// listening makes a tab record its messages, besides sending them.
const listening = `
	window.told = []
	const beacon = navigator.sendBeacon.bind(navigator)
	navigator.sendBeacon = (address, form) => { window.told.push(address + ' ' + form); return beacon(address, form) }`

func (b *tab) listening() *tab {
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(listening).Do(ctx)
		return err
	}))
	return b
}

// looked waits until the service has counted these visits and views of a paper.
func (l *library) looked(paper int64, views, visitors int64) {
	l.Helper()
	var gotViews, gotVisitors int64
	require.Eventually(l, func() bool {
		now := time.Now()
		days, err := l.client.GetNumberOfPageviewsPerDay(l.Context(), paper, now.AddDate(0, 0, -1), now)
		require.NoError(l, err)
		gotViews = 0
		for _, d := range days {
			gotViews += d.Count
		}
		gotVisitors, err = l.client.GetNumberOfVisitors(l.Context(), paper, now.AddDate(0, 0, -1), now)
		require.NoError(l, err)
		return gotViews >= views && gotVisitors >= visitors
	}, testrun.Patience(), 50*time.Millisecond)
	require.Equal(l, []int64{views, visitors}, []int64{gotViews, gotVisitors})
}

// TestShownPagesAreReported checks that pages shown for a second are reported, both of a spread, with
// one visit per tab, however often it loads the page. Back shows pages again.
func TestShownPagesAreReported(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(7))
	b := desktop.open(t).listening()
	b.visit(l.URL + "/book/")
	b.until(`window.told.length === 1`) // sent by the timer, a few seconds later
	require.Equal(t, []string{"Hit.ashx pages=1&new=true"}, beacons(b))
	b.do(chromedp.Evaluate(`window.setTimeout = () => 0`, nil)) // no timer fires from here on
	b.click("#next")
	b.place("Pages 2–3 of 7")
	b.click("#next")
	b.place("Pages 4–5 of 7")
	b.do(chromedp.Navigate(l.URL + "/book/?Page=6"))
	b.until(`document.documentElement.classList.contains('ready')`)
	b.until(`window.told.length === 1`)
	require.Equal(t, []string{"Hit.ashx pages=6%2C7"}, beacons(b), "pages shown too briefly are not reported, and there is no second visit")
	other := desktop.open(t).listening()
	other.visit(l.URL + "/book/?View=text")
	other.until(`window.told.length === 1`)
	require.Equal(t, []string{"Hit.ashx pages=1&new=true"}, beacons(other), "another tab is another visit")
	l.looked(paper, 4, 2)
	require.False(t, value[bool](b, `Boolean(document.cookie)`))
}

// TestAHiddenTabCountsNothing checks that a tab in the background counts nothing until it is
// visible, and that a tab that becomes hidden sends its message at once.
func TestAHiddenTabCountsNothing(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(3))
	b := phone.open(t).listening()
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`
			window.away = true
			Object.defineProperty(document, 'hidden', {get: () => window.away})
			window.goes = away => { window.away = away; document.dispatchEvent(new Event('visibilitychange')) }
			window.timers = []
			window.setTimeout = (act, after) => window.timers.push([act, after])
			window.clearTimeout = number => { if (window.timers[number - 1]) window.timers[number - 1][0] = () => {} }
			window.passes = after => { for (const timer of window.timers) if (timer[1] === after) { const act = timer[0]; timer[0] = () => {}; act() } }`).Do(ctx)
		return err
	}))
	b.visit(l.URL + "/book/")
	b.until(`performance.getEntriesByType('resource').some(e => /\/hit\.[0-9a-f]+\.js$/.test(e.name))`)
	b.do(chromedp.Evaluate(`import(performance.getEntriesByType('resource').find(e => /\/hit\./.test(e.name)).name)`, nil, awaited))
	b.do(chromedp.Evaluate(`window.passes(1000); window.passes(5000)`, nil))
	require.Empty(t, beacons(b), "a hidden tab reports nothing")
	b.do(chromedp.Evaluate(`window.goes(false); window.goes(true)`, nil))
	require.Empty(t, beacons(b), "a page shown for less than a second is not reported")
	b.do(chromedp.Evaluate(`window.goes(false); window.passes(1000); window.goes(true)`, nil))
	require.Equal(t, []string{"Hit.ashx pages=1&new=true"}, beacons(b))
	b.do(chromedp.Evaluate(`window.goes(false); window.passes(1000); window.goes(true)`, nil))
	require.Len(t, beacons(b), 1, "showing the tab again does not count the page again")
	b.do(chromedp.Evaluate(`window.goes(false); document.querySelector('#next').click(); window.passes(1000); document.querySelector('#previous').click(); window.passes(1000)
		window.dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))`, nil))
	require.Equal(t, "Hit.ashx pages=2%2C1", beacons(b)[1])
	b.do(chromedp.Evaluate(`window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})); window.passes(1000); window.goes(true)`, nil))
	require.Equal(t, []string{"Hit.ashx pages=1"}, beacons(b)[2:], "Back shows the page again, which counts")
	l.looked(paper, 4, 1)
}

// TestManyPagesAreToldInParts checks that a message has a limited number of pages, and that pages
// which the browser could not queue are sent with the next message.
func TestManyPagesAreToldInParts(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(2))
	b := phone.open(t)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`
			window.full = true
			const first = navigator.sendBeacon.bind(navigator)
			navigator.sendBeacon = (address, form) => !window.full && first(address, form)
			const timeout = window.setTimeout.bind(window)
			window.setTimeout = (act, after) => after === 1000 ? (act(), 0) : timeout(act, after)`).Do(ctx)
		return err
	}), chromedp.Evaluate(listening, nil))
	b.listening()
	b.visit(l.URL + "/book/")
	b.until(`window.told.length > 0`)
	b.do(chromedp.Evaluate(`for (let i = 0; i < 75; i++) { document.querySelector('#next').click(); document.querySelector('#previous').click() }
		window.full = false; window.dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))`, nil))
	l.looked(paper, 151, 1)
	require.Equal(t, 100, 1+strings.Count(beacons(b)[len(beacons(b))-2], "%2C"))
}

// TestClicksAreReported checks that a followed link is reported once, by mouse, middle button and keyboard, with an address as the
// page has it; and that links to pages, the right button, and what is no link are not.
func TestClicksAreReported(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(5))
	at := func(y float64, link store.Link) store.Link {
		link.Page, link.X, link.Y, link.Width, link.Height = 1, .1, y, .3, .1
		return link
	}
	l.links(paper, at(.1, store.Link{LinkType: "url", URL: "#nowhere", Target: "_self", AltText: "anchor"}), at(.3, store.Link{LinkType: "url", URL: "/book/?ü=1&b=%20", AltText: "tab"}),
		at(.5, store.Link{LinkType: "shopitem", Param: "<item><name>Rake</name><price>29.25</price><id>RK-7</id></item>"}),
		at(.7, store.Link{LinkType: "page", URL: "#p4", AltText: "page"}))
	b := desktop.open(t).listening()
	b.visit(l.URL + "/book/")
	b.until(`window.told.length === 1`)
	b.do(chromedp.Evaluate(`window.told.length = 0; window.open = () => {}; addEventListener('click', event => { if (event.target.closest('a[target]')) event.preventDefault() })`, nil))
	b.click("a[aria-label=anchor] rect")
	b.until(`window.told.length === 1`) // sent by the timer
	b.click("a[aria-label=tab] rect")
	for _, button := range []string{"middle", "right"} {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			var at []float64
			if err := chromedp.Evaluate(`(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('a[aria-label=anchor] rect').getBoundingClientRect())`, &at).Do(ctx); err != nil {
				return err
			}
			return chromedp.MouseClickXY(at[0], at[1], chromedp.Button(button)).Do(ctx)
		}))
	}
	for _, key := range []string{" ", kb.Enter} {
		b.do(chromedp.Evaluate(`document.querySelector('a[aria-label=Rake]').focus()`, nil), chromedp.KeyEvent(key))
		b.until(`document.querySelector('#item').open`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until(`!document.querySelector('#item').open`)
	}
	b.do(chromedp.Evaluate(`document.querySelector('a[aria-label=Rake]').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', repeat: true, bubbles: true, cancelable: true}))`, nil)) // a key that is held
	b.click("a[aria-label=page] rect")
	b.place("Pages 4–5 of 5")
	b.do(chromedp.Evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))`, nil))
	b.until(`window.told.filter(told => told.includes('link=')).length === 5`)
	var links []string
	for _, told := range beacons(b) {
		if _, link, ok := strings.Cut(told, "link="); ok {
			links = append(links, link)
		}
	}
	const tab, rake = "1+%2Fbook%2F%3F%25c3%25bc%3D1%26b%3D%2520", "1+%23p1i1"
	require.Equal(t, []string{"1+%23nowhere", tab, "1+%23nowhere", rake, rake}, links)
	db := servicetest.In(t, l.Data).Beside(t)
	var counted []string
	require.Eventually(t, func() bool {
		counted = nil
		require.NoError(t, db.Read(t.Context(), func(tx store.Reader) error {
			pages, err := tx.PageHits(paper, 0, store.DayOf(time.Now()))
			for _, h := range pages {
				if h.Target != "" {
					counted = append(counted, fmt.Sprint(h.Page, " ", h.Target, " ", h.Count))
				}
			}
			return err
		}))
		return len(counted) == 3
	}, testrun.Patience(), 50*time.Millisecond)
	require.Equal(t, []string{"1 #nowhere 2", "1 /book/?ü=1&b=%20 1", "1 RK-7 Rake 2"}, counted)
}

// TestPreviewsTellNothing checks that previews send no messages.
func TestPreviewsTellNothing(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(3))
	token, err := l.client.CreatePreviewToken(l.Context(), paper, 10, "")
	require.NoError(t, err)
	b := desktop.open(t).listening()
	b.visit(l.URL + "/book/?SecurityToken=" + token)
	require.False(t, value[bool](b, `document.querySelector('main').hasAttribute('data-count')`))
	b.visit(l.URL + "/book/")
	b.until(`window.told.length === 1`)
	require.Equal(t, []string{"Hit.ashx pages=1&new=true"}, beacons(b))
	l.looked(paper, 1, 1)
}

// TestAFrameWithoutStorageIsCounted simulates a frame on another site, where the browser denies
// storage. The page then counts as one visit as long as it exists.
func TestAFrameWithoutStorageIsCounted(t *testing.T) {
	browses(t)
	l := open(t, func(o *service.Options) { o.BasePath = "/base" })
	paper := l.paper("book", booklet(2))
	b := desktop.open(t).listening()
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`Object.defineProperty(window, 'sessionStorage', {get: () => { throw new DOMException('no', 'SecurityError') }})`).Do(ctx)
		return err
	}))
	b.visit(fmt.Sprintf("%s/book/", l.URL))
	b.until(`window.told.length === 1`)
	b.click("#next")
	b.until(`window.told.length === 2`)
	require.Equal(t, []string{"Hit.ashx pages=1&new=true", "Hit.ashx pages=2"}, beacons(b))
	l.looked(paper, 2, 1)
}

// TestABrowserWithoutBeacons checks that the page works and sends no messages.
func TestABrowserWithoutBeacons(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(3))
	b := desktop.open(t)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`
			delete Navigator.prototype.sendBeacon
			window.failures = []
			addEventListener('error', event => window.failures.push(event.message))
			window.setTimeout = act => (act(), 0)`).Do(ctx)
		return err
	}))
	b.visit(l.URL + "/book/")
	b.until(`performance.getEntriesByType('resource').some(e => /\/hit\.[0-9a-f]+\.js$/.test(e.name))`)
	b.do(chromedp.Evaluate(`import(performance.getEntriesByType('resource').find(e => /\/hit\./.test(e.name)).name)`, nil, awaited))
	b.do(chromedp.Evaluate(`window.dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))`, nil))
	require.Empty(t, value[[]string](b, `window.failures`))
	b.click("#next")
	b.place("Pages 2–3 of 3")
	require.Empty(t, value[[]string](b, `window.failures`))
}

// awaited makes an evaluation wait for a promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
