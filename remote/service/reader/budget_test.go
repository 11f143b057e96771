package reader_test

import (
	"bytes"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAFirstViewIsSmall checks that, of a hundred pages, the browser loads only the visible
// ones, within limits of requests and bytes.
func TestAFirstViewIsSmall(t *testing.T) {
	browses(t)
	book := booklet(100)
	for name, on := range map[string]struct {
		screen
		most int64 // bytes
	}{"desktop": {desktop, 140_000}, "phone": {phone, 220_000}} {
		l := open(t) // a new address, so that the browser has nothing cached
		l.paper("book", book)
		b := on.open(t)
		b.visit(l.URL + "/book/")
		b.until(`document.querySelector('#p2 img').naturalWidth > 0`) // the next page is loaded already
		requests, size := b.firstView()
		t.Logf("%s: %d requests, %d bytes", name, requests, size)
		require.LessOrEqual(t, requests, 8, "%v", b.requests)
		require.LessOrEqual(t, size, on.most, name)
	}
}

// firstView returns the number of requests and bytes, once all responses to the shown document have arrived: nobody
// tells how those of a document that was left end. It leaves out the requests that count page views, which come after
// the first view.
func (b *tab) firstView() (requests int, bytes int64) {
	b.Helper()
	require.Eventually(b, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return !slices.Contains(slices.Collect(maps.Values(b.open)), b.document)
	}, testrun.Patience(), 10*time.Millisecond)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range b.requests {
		if !strings.Contains(strings.ToLower(address), "/hit.") {
			requests++
		}
	}
	return requests, b.bytes
}

// TestPrintingIsAPageASheet checks that each page prints on its own sheet, with the large picture and nothing else.
func TestPrintingIsAPageASheet(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(7))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=4")
	b.do(chromedp.Evaluate(`window.print = () => { window.printed = true }`, nil))
	b.click("#print")
	b.until(`window.printed`)
	require.True(t, value[bool](b, `[...document.querySelectorAll('main img')].every(img => img.complete && img.currentSrc.includes('Zoom'))`))
	b.do(emulation.SetEmulatedMedia().WithMedia("print"))
	require.Equal(t, "rgba(0, 0, 0, 0)", value[string](b, `getComputedStyle(document.body).backgroundColor`), "the background colour is not printed")
	var pdf []byte
	b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = page.PrintToPDF().WithPreferCSSPageSize(true).Do(ctx)
		return err
	}))
	require.Len(t, regexp.MustCompile(`/Type\s*/Page\b[^s]`).FindAll(pdf, -1), 7)
	require.GreaterOrEqual(t, bytes.Count(pdf, []byte("/Subtype /Image")), 7)
}

// TestPrintingByKeys checks that the key waits for the pictures, too. The text view prints without pictures.
func TestPrintingByKeys(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(7))
	b := phone.open(t)
	for _, path := range []string{"/book/?View=text", "/book/"} {
		b.visit(l.URL + path)
		b.do(chromedp.Evaluate(`window.print = () => { window.printed = true }`, nil))
		b.do(chromedp.KeyEvent("p", chromedp.KeyModifiers(input.ModifierCtrl)))
		b.until(`window.printed`)
		loaded := value[int](b, `[...document.querySelectorAll('main img')].filter(img => img.complete && img.currentSrc.includes('Zoom')).length`)
		require.Equal(t, map[string]int{"/book/": 7}[path], loaded, path)
	}
}

// TestASecondPressPrintsAtOnce checks that a second press starts the browser's own printing if a
// picture does not arrive.
func TestASecondPressPrintsAtOnce(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(7))
	b := phone.open(t)
	b.visit(l.URL + "/book/")
	b.do(chromedp.Evaluate(`window.print = () => { window.printed = true }
		window.came = []
		HTMLImageElement.prototype.decode = () => new Promise(done => came.push(done))
		window.own = []
		addEventListener('keydown', event => { if (event.key === 'p') own.push(!event.defaultPrevented); event.preventDefault() })`, nil))
	press := chromedp.KeyEvent("p", chromedp.KeyModifiers(input.ModifierCtrl))
	b.do(press, press)
	b.until(`own.length === 2`)
	require.Equal(t, []bool{false, true}, value[[]bool](b, `own`))
	b.do(chromedp.Evaluate(`came.forEach(done => done())`, nil))
	require.False(t, value[bool](b, `new Promise(done => setTimeout(() => done(Boolean(window.printed))))`), "the page must not print twice")
	b.do(press)
	b.do(chromedp.Evaluate(`came.forEach(done => done())`, nil))
	b.until(`window.printed`)
}

// TestTheBarHides checks that the bar hides, and appears on input.
func TestTheBarHides(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(3))
	l.set(paper, "autoMaximize", "true")
	l.set(paper, "iconPrint", "false")
	l.set(paper, "backgroundColor", "#336699")
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.until(`getComputedStyle(document.querySelector('header')).opacity === '0'`)
	require.EqualValues(t, 900, value[int](b, `document.querySelector('main').getBoundingClientRect().height`))
	require.Equal(t, "rgb(51, 102, 153)", value[string](b, `getComputedStyle(document.body).backgroundColor`))
	require.False(t, value[bool](b, `!!document.querySelector('#print')`))
	b.do(chromedp.Evaluate(`window.setTimeout = () => 0`, nil)) // the bar does not hide again, however slow the test is
	b.do(chromedp.MouseClickXY(600, 500))
	b.until(`getComputedStyle(document.querySelector('header')).opacity === '1'`)
	b.click("#next")
	b.place("Pages 2–3 of 3")
	b.visit(l.URL + "/book/?HideNavigationBars=true")
	require.False(t, value[bool](b, `document.querySelector('header').checkVisibility()`))
}
