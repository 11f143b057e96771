package reader_test

import (
	"context"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// watching makes the browser record layout shifts of each view.
const watching = `window.moved = []; new PerformanceObserver(list => {
	for (const e of list.getEntries()) if (!e.hadRecentInput) moved.push([e.value, ...e.sources.map(s => (s.node?.id || s.node?.nodeName) + ' ' + JSON.stringify(s.previousRect) + ' ' + JSON.stringify(s.currentRect))])
}).observe({type: 'layout-shift', buffered: true})`

// hold blocks requests to matching addresses until release is called.
func (b *tab) hold(pattern string) (release func()) {
	released := make(chan struct{})
	chromedp.ListenTarget(b.ctx, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			go func() {
				<-released
				_ = chromedp.Run(b.ctx, fetch.ContinueRequest(e.RequestID)) // the tab may have closed
			}()
		}
	})
	b.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: pattern}}))
	return sync.OnceFunc(func() { close(released) })
}

// frames waits until changes are painted.
func (b *tab) frames() {
	b.Helper()
	require.True(b, value[bool](b, `new Promise(f => requestAnimationFrame(() => requestAnimationFrame(() => f(true))))`))
}

// TestNothingMovesByItself checks that visible content does not shift when the scripts and the other
// pictures arrive, and when pages are turned.
func TestNothingMovesByItself(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", manual(130))
	l.set(paper, "iconPdf", "true")
	for name, on := range map[string]screen{"desktop": desktop, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			b := on.open(t)
			b.do(chromedp.ActionFunc(func(ctx context.Context) error {
				_, err := page.AddScriptToEvaluateOnNewDocument(watching).Do(ctx)
				return err
			}))
			release := b.hold("*/reader/*.js")
			defer release()
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(`setTimeout(() => location.href = '`+l.URL+`/book/')`, nil)) // it does not wait
			b.until(`document.querySelector('#p1 img')?.complete && performance.getEntriesByType('paint').length > 1`)
			b.frames()
			release()
			b.until(`document.readyState === 'complete' && document.documentElement.classList.contains('ready')`)
			for range 3 {
				b.do(chromedp.Evaluate(`document.querySelector('main').scrollBy({left: innerWidth, behavior: 'instant'})`, nil))
				b.frames()
			}
			b.until(`[...document.images].filter(i => i.loading === 'eager').every(i => i.complete)`)
			moved := value[[][]any](b, `moved`)
			total := 0.
			for _, m := range moved {
				total += m[0].(float64)
			}
			t.Logf("%g", total)
			require.LessOrEqual(t, total, .02, "%v", moved)
		})
	}
}
