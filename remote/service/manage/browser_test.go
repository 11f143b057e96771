package manage_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	js "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/browsertest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

func TestMain(m *testing.M) {
	testrun.SideBySide(4)
	code := servicetest.RunRemembering(m)
	browsertest.Stop()
	os.Exit(code)
}

// house is a service with its page.
type house struct {
	testing.TB
	*servicetest.Fixture
	client *remote.Client
}

func open(t testing.TB, change ...func(*service.Options)) *house {
	t.Helper()
	testrun.Long(t, "looks at pages in a browser")
	browsertest.Start(t)
	change = append(change, func(o *service.Options) {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	})
	f := servicetest.Start(t, change...)
	client := testrun.Must(remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password}))(t)
	t.Cleanup(client.Close)
	return &house{t, f, client}
}

func (h *house) admin() *admin.Admin { return servicetest.In(h, h.Data).Admin(h) }

// account adds an account, and returns its key.
func (h *house) account(name string, role remote.Role) string {
	h.Helper()
	key, err := h.admin().AddAccount("default", name, role)
	require.NoError(h, err)
	return key
}

// tab is a tab of a browser. Errors in its console, and violations of its policy, fail the test.
type tab struct {
	testing.TB
	ctx     context.Context
	cookies cdp.BrowserContextID

	mu       sync.Mutex // guards all below
	problems []string
	requests []string
	bytes    map[string]int64
	may      []string // problems that the test expects
}

type screen struct {
	width, height    int64
	noScripts, touch bool
	scale            float64
}

var desk, phone = screen{width: 1280, height: 800}, screen{width: 390, height: 844, touch: true}

// browser opens a browser with one tab.
func (s screen) browser(t testing.TB) *tab {
	t.Helper()
	whole := browsertest.Start(t)
	executor := cdp.WithExecutor(whole, chromedp.FromContext(whole).Browser)
	cookies := testrun.Must(target.CreateBrowserContext().WithDisposeOnDetach(true).Do(executor))(t)
	return s.open(t, whole, cookies)
}

// another opens another tab of a tab's browser.
func (s screen) another(of *tab) *tab {
	return s.open(of.TB, browsertest.Start(of.TB), of.cookies)
}

// open opens a window of a browser.
func (s screen) open(t testing.TB, whole context.Context, cookies cdp.BrowserContextID) *tab {
	t.Helper()
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(cookies).WithNewWindow(true).Do(cdp.WithExecutor(whole, chromedp.FromContext(whole).Browser))
	require.NoError(t, err)
	ctx, end := chromedp.NewContext(whole, chromedp.WithTargetID(id))
	b := s.tabIn(t, ctx, end)
	b.cookies = cookies
	return b
}

func (s screen) tabIn(t testing.TB, ctx context.Context, end func()) *tab {
	ctx, cancel := context.WithTimeout(ctx, 6*testrun.Patience())
	b := &tab{TB: t, ctx: ctx, bytes: map[string]int64{}}
	chromedp.ListenTarget(ctx, b.listen)
	t.Cleanup(func() {
		if t.Failed() {
			b.picture("failed-" + t.Name())
		}
		cancel()
		end()
		b.mu.Lock()
		defer b.mu.Unlock()
		require.Empty(t, b.problems, "the browser reports errors")
	})
	scale := s.scale
	if scale == 0 {
		scale = 1
	}
	b.do(network.Enable(), log.Enable(), js.Enable(), emulation.SetDeviceMetricsOverride(s.width, s.height, scale, s.touch), emulation.SetScriptExecutionDisabled(s.noScripts),
		emulation.SetFocusEmulationEnabled(true))
	return b
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	problem := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning || e.Entry.Source == log.SourceSecurity {
			problem = fmt.Sprintf("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *js.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Error()
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.Method+" "+e.Request.URL)
	case *network.EventLoadingFinished:
		b.bytes[string(e.RequestID)] += int64(e.EncodedDataLength)
	}
	for _, may := range b.may {
		if strings.Contains(problem, may) {
			return
		}
	}
	if problem != "" {
		b.problems = append(b.problems, problem)
	}
}

// expects lets problems pass that have a text.
func (b *tab) expects(texts ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.may = append(b.may, texts...)
}

func (b *tab) do(actions ...chromedp.Action) {
	b.Helper()
	require.NoError(b, chromedp.Run(b.ctx, actions...))
}

func value[T any](b *tab, expression string) T {
	b.Helper()
	var v T
	b.do(chromedp.Evaluate(expression, &v, func(p *js.EvaluateParams) *js.EvaluateParams { return p.WithAwaitPromise(true) }))
	return v
}

// until waits for a condition.
func (b *tab) until(condition string) {
	b.Helper()
	for end := time.Now().Add(testrun.Patience() / 6); ; {
		var holds bool
		err := chromedp.Run(b.ctx, chromedp.Evaluate("Boolean("+condition+")", &holds))
		if err == nil && holds {
			return
		}
		if time.Now().After(end) || b.ctx.Err() != nil {
			b.mu.Lock()
			problems := b.problems
			b.mu.Unlock()
			require.FailNow(b, "the condition never held", "%s (%v); %v\n%s", condition, err, problems, value[string](b, `document.body.innerText`))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// says waits until the page has a text.
func (b *tab) says(text string) {
	b.Helper()
	b.until(fmt.Sprintf(`(document.body.innerText + [...document.querySelectorAll('input, textarea')].map(i => i.value).join()).includes(%q)`, text))
}

// place returns where an element is, once it is what the mouse would hit there: before the first frame nothing within a card is,
// because of content-visibility.
func (b *tab) place(selector string) (x, y float64) {
	b.Helper()
	expression := fmt.Sprintf(`(() => {
		const e = %s
		if (!e) return []
		e.scrollIntoView({block: 'nearest'})
		const r = e.getBoundingClientRect()
		const x = (Math.max(0, r.left) + Math.min(innerWidth, r.right)) / 2, y = (Math.max(0, r.top) + Math.min(innerHeight, r.bottom)) / 2
		return r.width && e.contains(document.elementFromPoint(x, y)) ? [x, y] : []
	})()`, selected(selector))
	b.until(expression + ".length === 2")
	at := value[[]float64](b, expression)
	return at[0], at[1]
}

// selected is what a selector finds; "button=Text" is a button, link or label with a text.
func selected(selector string) string {
	if tag, text, named := strings.Cut(selector, "="); named && !strings.Contains(tag, "[") {
		return fmt.Sprintf(`[...document.querySelectorAll(%q)].filter(e => e.checkVisibility() && e.textContent.trim() === %q).at(-1)`, tag, text)
	}
	return fmt.Sprintf(`document.querySelector(%q)`, selector)
}

func (b *tab) click(selector string) {
	b.Helper()
	x, y := b.place(selector)
	b.do(chromedp.MouseClickXY(x, y))
}

// types replaces the text of a field, and leaves the field.
func (b *tab) types(selector, text string) {
	b.Helper()
	b.typing(selector, text)
	b.do(chromedp.KeyEvent("\r"))
}

// typing replaces the text of a field.
func (b *tab) typing(selector, text string) {
	b.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf(`(e => { e.focus(); e.select() })(%s)`, selected(selector)), nil), input.InsertText(text))
}

// drop drops files on an element.
func (b *tab) drop(selector string, files ...string) {
	b.Helper()
	x, y := b.place(selector)
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
		b.do(input.DispatchDragEvent(kind, x, y, data))
	}
}

// signIn signs in, and waits until the page has its tree.
func (b *tab) signIn(h *house, account, key string) {
	b.Helper()
	b.do(chromedp.Navigate(h.URL + "/manage/"))
	b.until(`document.querySelector('[name=account]')`)
	b.typing("[name=account]", account)
	b.typing("[name=key]", key)
	b.click("button.main")
	b.ready()
}

func (b *tab) ready() {
	b.Helper()
	b.until(`document.documentElement.classList.contains('ready') && document.querySelector('main h1').textContent`)
}

// picture saves a screenshot if PAPERFS_TEST_PICTURES names a directory.
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

// file writes a file for a browser.
func file(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}
