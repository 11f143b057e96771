package manage_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestEverybodyCanPublish checks each state of the page with axe, in three widths, and in light and dark colours.
func TestEverybodyCanPublish(t *testing.T) {
	h := open(t)
	root, err := exec.Command("npm", "root", "-g").Output()
	if err != nil {
		testrun.Missing(t, "npm")
	}
	axe, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "axe-core", "axe.min.js"))
	if err != nil {
		testrun.Missing(t, "axe-core (npm install --global axe-core@4.14.1)")
	}
	ids := h.library()
	h.client.DeletePaper(t.Context(), ids["garden"])
	h.order(ids["autumn"], "one", 2, "x", "X")
	h.records(func(tx store.Writer) error {
		return tx.AddHits(1, []store.Hits{{Paper: ids["autumn"], Day: store.DayOf(time.Now()), Visits: 2, Counts: map[store.Hit]int64{{Page: 1}: 3, {Page: 2}: 12}}})
	})
	replaced, err := h.client.ProcessPDF(t.Context(), ids["autumn"], "", content(pdftest.Document(colourful([]string{"Autumn", "two", "three"}))))
	require.NoError(t, err)
	h.processed(replaced.GUID)
	states := map[string]func(b *tab){
		"list":     func(*tab) {},
		"search":   func(b *tab) { b.typing("#find", "a"); b.says("found") },
		"paper":    func(b *tab) { b.choose(ids["autumn"]) },
		"period":   func(b *tab) { b.choose(ids["summer"]); b.says("Europe/Berlin") },
		"category": func(b *tab) { b.choose(ids["catalogues"]); b.click("#about-category"); b.says("Category") },
		"share": func(b *tab) {
			b.choose(ids["autumn"])
			b.click("button=Share")
			b.until(`document.querySelector('.qr img').complete`)
		},
		"preview": func(b *tab) { b.choose(ids["prices"]); b.click("button=Preview link") },
		"menu":    func(b *tab) { b.click("#menu summary") },
		"deleted": func(b *tab) { b.click("#menu summary"); b.click("#deleted"); b.says("Bring back") },
		"new":     func(b *tab) { b.click("#new-category"); b.until(`document.querySelector('dialog input')`) },
		"upload": func(b *tab) {
			b.drop("main", file(t, "notes.txt", []byte("no")))
			b.says("This is not a PDF.")
		},
		"refused": func(b *tab) {
			b.choose(ids["autumn"])
			b.types("aside label:nth-of-type(2) input", "summer")
			b.says("is taken")
		},
		"settings": func(b *tab) {
			b.choose(ids["autumn"])
			b.opens("Settings")
			b.until(`document.querySelector('iframe').contentDocument?.querySelector('img')?.naturalWidth > 0`)
		},
		"shelf": func(b *tab) { b.choose(ids["catalogues"]); b.click("#about-category"); b.opens("Settings") },
		"shop": func(b *tab) {
			b.choose(ids["autumn"])
			b.opens("Products and orders")
			b.until(`document.querySelector('dialog td')`)
		},
		"numbers": func(b *tab) {
			b.choose(ids["autumn"])
			b.opens("Numbers")
			b.click("dialog summary")
		},
		"versions": func(b *tab) { b.choose(ids["autumn"]); b.opens("Earlier PDFs") },
		"copy":     func(b *tab) { b.choose(ids["autumn"]); b.click("button=Make a copy") },
		"session":  func(b *tab) { b.do(chromedp.Navigate(h.URL + "/manage/sessions")); b.says("(this one)") },
		"accounts": func(b *tab) { b.do(chromedp.Navigate(h.URL + "/manage/accounts")); b.says("This is you") },
		"invited": func(b *tab) {
			b.do(chromedp.Navigate(h.URL + "/manage/accounts"))
			b.types("form.change [name=account]", fmt.Sprintf("colleague-%d", time.Now().UnixNano()))
			b.says("The link works once, until")
		},
		"table": func(b *tab) { b.do(chromedp.Navigate(h.URL + "/manage/table")); b.says("Upload") },
		"form": func(b *tab) {
			b.do(chromedp.Navigate(fmt.Sprintf("%s/manage/table?node=%d", h.URL, ids["autumn"])))
			b.says("Rename")
		},
	}
	for size, s := range map[string]screen{"desk": desk, "tablet": {width: 768, height: 1024}, "phone": phone} {
		b := s.browser(t)
		b.do(chromedp.Navigate(h.URL + "/manage/"))
		b.until(`document.querySelector('[name=account]')`)
		b.sound(axe, size+"-in")
		b.signIn(h, h.Username, h.Password)
		b.until(`document.querySelectorAll('#cards img').length >= 1`)
		for state, act := range states {
			b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(h.URL+"/manage/")) // each from the beginning
			b.ready()
			act(b)
			b.sound(axe, size+"-"+state)
			require.LessOrEqual(t, value[int](b, `document.documentElement.scrollWidth - innerWidth`), 0, "%s-%s scrolls to the side", size, state)
		}
	}
}

// choose opens a paper or category.
func (b *tab) choose(id int64) {
	b.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf("location.hash = '#%d'", id), nil))
	b.until(fmt.Sprintf(`document.querySelector('[data-node="%d"] a[aria-current], [data-category="%d"][aria-current]')`, id, id))
}

// sound checks that axe finds nothing, and that the dark colours differ enough, too.
func (b *tab) sound(axe []byte, name string) {
	b.Helper()
	var run bool
	b.do(page.SetBypassCSP(true), chromedp.Evaluate(string(axe)+";true", &run))
	for _, in := range []struct{ scheme, rules string }{{"light", ""}, {"dark", ", runOnly: ['color-contrast', 'link-in-text-block']"}} {
		b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: in.scheme}}))
		b.until(`!document.getAnimations().some(a => a instanceof CSSTransition)`)
		b.picture(name + "-" + in.scheme)
		require.Empty(b, value[string](b, `axe.run({resultTypes: ['violations']`+in.rules+`}).then(r => r.violations.map(v => v.id + ': ' + v.help + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | ')).join('\n'))`), "%s, %s", name, in.scheme)
	}
}

// TestFiveHundredPapersAreLight counts the requests and bytes of the page of a large library.
func TestFiveHundredPapersAreLight(t *testing.T) {
	h := open(t)
	root := remote.Node{ID: 1, URL: "/"}
	for i := range 500 {
		testrun.Must(h.client.CreatePaper(t.Context(), root, fmt.Sprintf("Publication number %d of a large library", i), fmt.Sprintf("publication-%d", i)))(t)
	}
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.do(chromedp.Navigate("about:blank"))
	b.mu.Lock()
	b.requests, b.bytes = nil, map[string]int64{}
	b.mu.Unlock()
	b.do(chromedp.Navigate(h.URL + "/manage/"))
	b.until(`document.querySelectorAll('#cards li').length === 500`)
	b.mu.Lock()
	defer b.mu.Unlock()
	total := int64(0)
	for _, bytes := range b.bytes {
		total += bytes
	}
	t.Logf("%d requests, %d bytes: %q", len(b.requests), total, b.requests)
	require.LessOrEqual(t, len(b.requests), 10)
	require.LessOrEqual(t, total, int64(200<<10))
}

// TestAReaderMayLookOnly signs in an account that may not change anything, and lets it try.
func TestAReaderMayLookOnly(t *testing.T) {
	h := open(t)
	ids := h.library()
	b := desk.browser(t)
	b.signIn(h, "ria", h.account("ria", remote.Reader))
	b.choose(ids["autumn"])
	b.picture("reader")
	for _, text := range []string{"Upload", "Delete", "Publish", "Replace the PDF", "New category", "Preview link", "Settings", "Products and orders", "Earlier PDFs", "Make a copy"} {
		require.False(t, value[bool](b, fmt.Sprintf(`[...document.querySelectorAll('button')].some(e => e.checkVisibility() && e.textContent === %q)`, text)), text)
	}
	b.drop("main", file(t, "a.pdf", pdftest.Text("a")))
	refused := value[string](b, fmt.Sprintf(`fetch('call/Paper/DeletePaper', {method: 'POST', headers: {Accept: 'application/json', 'Paperfs-Token': JSON.parse(document.querySelector('#about').textContent).token}, body: new URLSearchParams({paperID: '%d'})}).then(r => r.text())`, ids["autumn"]))
	require.Contains(t, refused, "This account may not call DeletePaper.")
	require.Len(t, h.all(), 7)
}

func (h *house) all() (names []string) {
	h.Helper()
	require.NoError(h, h.client.GetAllPapers(h.Context(), 1, func(n remote.Node) error { names = append(names, n.Name); return nil }))
	return names[1:]
}

// TestASessionThatEndsKeepsWhatWasTyped ends the session of an open page: it says so, and goes on after a sign-in in another tab.
func TestASessionThatEndsKeepsWhatWasTyped(t *testing.T) {
	h := open(t)
	ids := h.library()
	key := h.account("anna", remote.Editor)
	b := desk.browser(t)
	b.expects("401")
	b.signIn(h, "anna", key)
	b.choose(ids["autumn"])
	b.typing("aside label input", "Typed")
	another := desk.another(b)
	another.expects("401")
	another.do(chromedp.Navigate(h.URL + "/manage/sessions"))
	another.click("td button")
	another.until(`document.querySelector('[name=account]')`)
	b.until(`document.querySelector('dialog')?.textContent.includes('You are signed out.')`)
	b.picture("signed-out")
	require.Equal(t, "Typed", value[string](b, `document.querySelector('aside input').value`))
	another.signIn(h, "anna", key)
	b.do(chromedp.Evaluate(`window.dispatchEvent(new Event('focus'))`, nil))
	b.until(`!document.querySelector('dialog')`)
	b.do(chromedp.Evaluate(`document.querySelector('aside input').dispatchEvent(new Event('change'))`, nil))
	another.says("Typed")
}

// TestOneRequestIsHeldForABrowser opens tabs of one browser: one request is held for all of them, and none when nobody looks.
func TestOneRequestIsHeldForABrowser(t *testing.T) {
	h := open(t)
	ids := h.library()
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	another := desk.another(b)
	another.do(chromedp.Navigate(h.URL + "/manage/"))
	another.ready()
	held := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool { return h.Service.Inside().Followers() == n }, testrun.Patience()/6, 10*time.Millisecond)
	}
	held(1)
	require.NoError(t, h.client.RenamePaper(t.Context(), ids["autumn"], "For both", 0))
	for _, one := range []*tab{b, another} {
		one.says("For both")
	}
	held(1)
	see := func(one *tab, state string) {
		one.do(chromedp.Evaluate(fmt.Sprintf(`Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => '%s'}); document.dispatchEvent(new Event('visibilitychange'))`, state), nil))
	}
	see(b, "hidden")
	see(another, "hidden")
	held(0)
	require.NoError(t, h.client.RenamePaper(t.Context(), ids["autumn"], "While nobody looked", 0))
	see(another, "visible")
	another.says("While nobody looked")
	held(1)
	see(b, "visible")
	b.says("While nobody looked")
	held(1)
}

// TestAnUploadThatIsCutMayBeginAgain cuts connections, answers as proxies do, and sends the PDF again: one paper comes of it, and one job.
func TestAnUploadThatIsCutMayBeginAgain(t *testing.T) {
	h := open(t)
	var mode atomic.Value
	mode.Store("")
	front := h.behind(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		m := mode.Load().(string)
		if !strings.Contains(r.URL.Path, "ProcessPDF") || m == "" {
			pass.ServeHTTP(w, r)
			return
		}
		switch m { // until the test says otherwise: browsers try again by themselves

		case "413":
			_, _ = io.Copy(io.Discard, r.Body)
			http.Error(w, "<html>Too large</html>", http.StatusRequestEntityTooLarge)
		case "lost": // the service has done it, and nobody hears of that
			pass.ServeHTTP(discarding{w}, r)
			cut(w)
		case "cut":
			_, _ = io.CopyN(io.Discard, r.Body, 1000)
			cut(w)
		}
	})
	b := desk.browser(t)
	b.expects("413", "ERR_")
	b.signIn(h, h.Username, h.Password)
	b.do(chromedp.Navigate(front + "/manage/")) // the ports of a host share its cookies
	b.ready()
	pdf := file(t, "Once.pdf", pdftest.Text("once"))
	for _, m := range []string{"cut", "413", "lost"} {
		mode.Store(m)
		if m == "cut" {
			b.drop("main", pdf)
		} else {
			b.click("button=Try again")
		}
		b.until(`document.querySelector('.upload .bad')`)
		if m == "413" {
			b.says("The PDF is too large for this service, or for a proxy in front of it.")
		} else {
			b.says("The connection was cut off.")
		}
		if m != "lost" {
			require.Empty(t, h.all(), "no empty paper is left")
		}
		b.picture("upload-" + m)
	}
	mode.Store("")
	b.click("button=Try again")
	b.until(`!document.querySelector('.upload') && document.querySelectorAll('#cards img').length === 1`)
	require.Equal(t, []string{"Once"}, h.all())
}

// behind serves the house through a proxy.
func (h *house) behind(serve func(w http.ResponseWriter, r *http.Request, pass http.Handler)) (address string) {
	to, err := url.Parse(h.URL)
	require.NoError(h, err)
	pass := httputil.NewSingleHostReverseProxy(to)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(h, err)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(w, r, pass) })}
	go func() { _ = s.Serve(l) }()
	h.Cleanup(func() { s.Close() })
	return "http://" + l.Addr().String()
}

type discarding struct{ http.ResponseWriter }

func (discarding) Write(p []byte) (int, error) { return len(p), nil }
func (discarding) WriteHeader(int)             {}
func (discarding) Header() http.Header         { return http.Header{} }

func cut(w http.ResponseWriter) {
	if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
		c.Close()
	}
}

// TestALargePDFShowsItsWay uploads 300 MB beside two others: its progress is shown, two go at a time.
func TestALargePDFShowsItsWay(t *testing.T) {
	h := open(t, func(o *service.Options) { o.PDFLimit = 400 << 20; o.BodyLimit = 500 << 20 })
	large := filepath.Join(t.TempDir(), "Large.pdf")
	f := testrun.Must(os.Create(large))(t)
	testrun.Must(f.Write(pdftest.Text("large")))(t)
	testrun.Must(io.Copy(f, io.LimitReader(zeros{}, 300<<20)))(t)
	require.NoError(t, f.Close())
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.drop("main", large, file(t, "a.pdf", pdftest.Text("a")), file(t, "b.pdf", pdftest.Text("b")))
	b.until(`[...document.querySelectorAll('.upload .job')].some(e => /^Uploading: [1-9]/.test(e.textContent))`)
	b.picture("uploading")
	b.until(`document.querySelectorAll('#cards img').length >= 2`)
	b.until(`!document.querySelector('.upload')`)
	require.Len(t, h.all(), 3)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestThePageWithoutScripts publishes by forms alone.
func TestThePageWithoutScripts(t *testing.T) {
	h := open(t)
	s := desk
	s.noScripts = true
	b := s.browser(t)
	b.do(chromedp.Navigate(h.URL + "/manage/"))
	b.do(chromedp.WaitReady("[name=account]"), chromedp.SendKeys("[name=account]", h.Username), chromedp.SendKeys("[name=key]", h.Password), chromedp.Click("button.main"),
		chromedp.WaitReady("input[type=file]"))
	b.do(chromedp.SetUploadFiles("input[type=file]", []string{file(t, "x.pdf", pdftest.Text("x"))}), chromedp.SendKeys("form.change [name=name]", "By a form <b>"), chromedp.Click("form.change button"))
	require.Eventually(t, func() bool { return slices.Equal(h.all(), []string{"By a form <b>"}) }, testrun.Patience(), 20*time.Millisecond)
	b.do(chromedp.WaitReady("td a"))
	b.picture("plain-table")
	b.do(chromedp.Click("td a"), chromedp.WaitReady("[name=newUrl]"))
	b.picture("plain-paper")
	b.do(chromedp.Click("form.change button"), chromedp.WaitReady("[name=value][value=false]"))
	// Settings, a copy and an earlier PDF.
	b.do(chromedp.SetValue("select[name=setting]", "stage"), chromedp.SendKeys("[name=value]:not([type=hidden])", "dark"), chromedp.Click(`form:has(select) button`))
	var id int64
	require.NoError(t, h.client.GetAllPapers(t.Context(), 1, func(n remote.Node) error { id = n.ID; return nil }))
	h.settingIs(id, "stage", "dark")
	b.do(chromedp.WaitReady("select[name=setting]"), chromedp.SetValue("select[name=setting]", "stage"), chromedp.Click(`[name=inherit]`))
	h.settingIs(id, "stage", "auto")
	b.do(chromedp.WaitReady("select[name=setting]"), chromedp.SetUploadFiles("input[type=file]", []string{file(t, "y.pdf", pdftest.Text("y", "z"))}), chromedp.Click("form:has([type=file]) button"), chromedp.WaitReady("select[name=setting]"))
	require.Eventually(t, func() bool {
		kept, err := h.client.GetDeleted(t.Context(), remote.Place{Node: id}, time.Time{}, 0)
		return err == nil && len(kept) == 1
	}, testrun.Patience()/6, 20*time.Millisecond)
	b.do(chromedp.Reload(), chromedp.WaitReady("form[action$=CopyPaper]"), chromedp.SendKeys("form[action$=CopyPaper] [name=name]", "Another"), chromedp.Click("form[action$=CopyPaper] button"))
	require.Eventually(t, func() bool { return len(h.all()) == 2 }, testrun.Patience()/6, 20*time.Millisecond)
	b.do(chromedp.WaitReady("[formaction$=GetContent]"))
	b.picture("plain-settings")
	require.Equal(t, string(pdftest.Text("x")), b.downloads(func() { b.do(chromedp.Click("[formaction$=GetContent]")) }))
	b.do(chromedp.Click("form[action$=Restore] button"), chromedp.WaitReady("select[name=setting]"))
	require.Eventually(t, func() bool {
		kept, err := h.client.GetDeleted(t.Context(), remote.Place{Node: id}, time.Time{}, 0)
		return err == nil && len(kept) == 1 && kept[0].Bytes == int64(len(pdftest.Text("y", "z")))
	}, testrun.Patience()/6, 20*time.Millisecond)
}

// TestTheKeyboardDoesEverything publishes and deletes without a mouse.
func TestTheKeyboardDoesEverything(t *testing.T) {
	h := open(t)
	ids := h.library()
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	tabTo := func(condition string) {
		t.Helper()
		for range 60 {
			if value[bool](b, "Boolean((e => "+condition+")(document.activeElement))") {
				return
			}
			b.do(chromedp.KeyEvent("\t"))
		}
		require.Fail(t, "the key Tab never leads there", condition)
	}
	tabTo(fmt.Sprintf(`e.closest('[data-node="%d"]')`, ids["prices"]))
	b.do(chromedp.KeyEvent("\r"))
	b.says("Publish")
	tabTo(`e.textContent === 'Publish'`)
	b.do(chromedp.KeyEvent("\r"))
	b.until(`document.querySelector('[aria-current] .state').dataset.look === 'public'`)
	tabTo(`e.textContent === 'Delete'`)
	b.do(chromedp.KeyEvent("\r"))
	b.says("is deleted.")
	tabTo(`e.textContent === 'Undo'`)
	b.do(chromedp.KeyEvent("\r"))
	b.says("Price list")
	tabTo(`e.matches('summary')`)
	b.do(chromedp.KeyEvent(kb.Escape))
}
