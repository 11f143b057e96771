package reader_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	js "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/browsertest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

func TestMain(m *testing.M) {
	testrun.SideBySide(8)
	code := servicetest.RunRemembering(m)
	browsertest.Stop()
	os.Exit(code)
}

// browses begins a test that looks at pages in Chromium. It does so before anything else: a test
// that does not run makes no paper.
func browses(t testing.TB) {
	t.Helper()
	testrun.Long(t, "looks at pages in a browser")
	browsertest.Program(t)
}

// screen is a reader's screen.
type screen struct {
	width, height int64
	scale         float64
	touch         bool
	noScripts     bool
	dark          bool
}

var (
	desktop = screen{width: 1440, height: 900, scale: 1}
	phone   = screen{width: 390, height: 844, scale: 3, touch: true}
)

// tab is a tab of the browser. Any error in its console, or violation of its policy,
// fails the test.
type tab struct {
	testing.TB
	ctx context.Context

	mu       sync.Mutex // guards all below
	problems []string
	requests map[network.RequestID]string       // addresses
	open     map[network.RequestID]cdp.LoaderID // requests in progress, and the document that they are of
	document cdp.LoaderID                       // the one that is shown
	bytes    int64                              // on the wire
}

// open opens a tab.
func (s screen) open(t testing.TB) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(browsertest.Start(t))
	ctx, cancel := context.WithTimeout(ctx, 5*testrun.Patience())
	b := &tab{TB: t, ctx: ctx, requests: map[network.RequestID]string{}, open: map[network.RequestID]cdp.LoaderID{}}
	chromedp.ListenTarget(ctx, b.listen)
	t.Cleanup(func() {
		b.mu.Lock()
		problems := b.problems
		b.mu.Unlock()
		if t.Failed() {
			b.picture(t.Name())
		}
		cancel()
		closeTab()
		require.Empty(t, problems, "the browser reports errors")
	})
	b.do(network.Enable(), log.Enable(), js.Enable(),
		emulation.SetDeviceMetricsOverride(s.width, s.height, s.scale, s.touch),
		emulation.SetTouchEmulationEnabled(s.touch),
		emulation.SetScriptExecutionDisabled(s.noScripts),
		emulation.SetFocusEmulationEnabled(true), page.BringToFront())
	if s.dark {
		b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	}
	return b
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning || e.Entry.Source == log.SourceSecurity {
			b.problems = append(b.problems, fmt.Sprintf("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL))
		}
	case *js.EventExceptionThrown:
		b.problems = append(b.problems, "exception: "+e.ExceptionDetails.Error())
	case *js.EventConsoleAPICalled:
		if e.Type == js.APITypeError || e.Type == js.APITypeWarning {
			b.problems = append(b.problems, fmt.Sprintf("console: %s", e.Args[0].Value))
		}
	case *network.EventRequestWillBeSent:
		b.requests[e.RequestID] = e.Request.URL
		b.open[e.RequestID] = e.LoaderID
	case *page.EventFrameNavigated:
		if e.Frame.ParentID == "" {
			b.document = e.Frame.LoaderID
		}
	case *network.EventLoadingFailed:
		delete(b.open, e.RequestID)
	case *network.EventLoadingFinished:
		delete(b.open, e.RequestID)
		b.bytes += int64(e.EncodedDataLength)
	}
}

func (b *tab) do(actions ...chromedp.Action) {
	b.Helper()
	require.NoError(b, chromedp.Run(b.ctx, actions...))
}

// visit opens an address, and waits until the reader's scripts have run.
func (b *tab) visit(address string) {
	b.Helper()
	b.do(chromedp.Navigate(address))
	b.until(`document.readyState === 'complete' && document.documentElement.classList.contains('ready')`)
}

// value returns the value of an expression.
func value[T any](b *tab, expression string) T {
	b.Helper()
	var v T
	b.do(chromedp.Evaluate(expression, &v, func(p *js.EvaluateParams) *js.EvaluateParams { return p.WithAwaitPromise(true) }))
	return v
}

// until waits for a condition.
func (b *tab) until(condition string) {
	b.Helper()
	for end := time.Now().Add(testrun.Patience()); ; {
		var holds bool
		err := chromedp.Run(b.ctx, chromedp.Evaluate("Boolean("+condition+")", &holds))
		if err == nil && holds {
			return
		}
		if time.Now().After(end) || b.ctx.Err() != nil {
			require.FailNow(b, "the condition never held", "%s (%v); place: %s, address: %s", condition, err, value[string](b, `document.querySelector('#place')?.textContent || ''`), value[string](b, `location.href`))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// place waits until the bar shows this position.
func (b *tab) place(words string) {
	b.Helper()
	b.until(fmt.Sprintf("document.querySelector('#place').textContent === %q", words))
}

// click clicks like a person: at the element's position, once the page is loaded and the element is what the mouse would hit
// there. Before its first frame, a page lets nothing within an article be hit, because of content-visibility: a click then is
// the article's, and nothing follows it.
func (b *tab) click(selector string) {
	b.Helper()
	const hit = `(() => {
		const e = document.querySelector(%[1]q), r = e && e.getBoundingClientRect()
		if (!r || !r.width || document.readyState !== 'complete') return []
		const x = (Math.max(0, r.left) + Math.min(innerWidth, r.right)) / 2, y = (Math.max(0, r.top) + Math.min(innerHeight, r.bottom)) / 2
		return e.contains(document.elementFromPoint(x, y)) ? [x, y] : []
	})()`
	expression := fmt.Sprintf(hit, selector)
	var at []float64
	for len(at) == 0 { // it may move, or the page go, after the wait
		b.until(expression + ".length === 2")
		at = value[[]float64](b, expression)
	}
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// picture saves a screenshot of the tab if PAPERFS_TEST_PICTURES names a directory.
func (b *tab) picture(name string) {
	dir := os.Getenv("PAPERFS_TEST_PICTURES")
	if dir == "" {
		return
	}
	var png []byte
	if err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot(&png)); err != nil {
		b.Logf("no screenshot: %v", err)
		return
	}
	require.NoError(b, os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+".png"), png, 0o600))
}
