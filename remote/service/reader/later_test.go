package reader_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// manual returns a PDF of dense text. The last word of page N is lastN.
func manual(pages int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("set the option of a plot as it is read by terminal with style that commands have where range axis data and lines for each file or default size")
	var sheets []pdftest.Sheet
	for n := range pages {
		var b strings.Builder
		for range 24 {
			for range 8 {
				b.WriteString(words[random.IntN(len(words))] + " ")
			}
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "last%d", n+1)
		sheets = append(sheets, pdftest.Sheet{Text: b.String()})
	}
	return pdftest.Document(sheets)
}

// TestADenseManualsFirstViewIsSmall checks that most of the text loads only on demand: by a search,
// by turning to its page, or in the text view.
func TestADenseManualsFirstViewIsSmall(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("manual", manual(130))
	b := desktop.open(t)
	b.visit(l.URL + "/manual/")
	b.until(`document.querySelector('#p2 img').naturalWidth > 0`)
	require.Contains(t, value[string](b, `document.querySelector('link[rel=icon]').href`), "ImageType=Thumb") // a browser with windows loads it, too
	requests, size := b.firstView()
	t.Logf("%d requests, %d bytes", requests, size)
	require.LessOrEqual(t, requests, 8)
	require.LessOrEqual(t, size, int64(350_000))
	html := value[int](b, `performance.getEntriesByType('navigation')[0].encodedBodySize`)
	t.Logf("%d bytes of HTML", html)
	require.LessOrEqual(t, html, 12_500, "text that most readers do not see comes later")
	require.Contains(t, value[string](b, `document.querySelector('#p1 .words').textContent`), "last1")
	require.NotContains(t, value[string](b, `document.querySelector('#p130 .words').textContent`), "last130")

	b.seek("LAST130")
	b.until(`document.querySelector('#hits').textContent === '1 hit.'`)
	require.Contains(t, value[string](b, `document.querySelector('#p130 .words').textContent`), "last130")
	require.Zero(t, value[int](b, `document.querySelectorAll('.later').length`))

	b.visit(l.URL + "/manual/?Page=128")
	b.until(`document.querySelector('#p128 .words').textContent.includes('last128')`)

	b.visit(l.URL + "/manual/?View=text&Page=129")
	require.Contains(t, value[string](b, `document.querySelector('#p130 .words').innerText`), "last130")

	plain := desktop
	plain.noScripts = true
	b = plain.open(t)
	b.do(chromedp.Navigate(l.URL + "/manual/"))
	at := value[string](b, `document.querySelector('#p130 .words a').href`)
	require.Equal(t, l.URL+"/manual/?View=text&Page=130", at)
	b.do(chromedp.Navigate(at))
	b.until(`document.querySelector('#p130 .words').innerText.includes('last130')`)
}

// TestADenseManualOnAPhone checks that the first view loads one large picture, and only small ones of
// other pages. The next page's large picture loads after the reader's first input.
func TestADenseManualOnAPhone(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("manual", manual(130))
	b := phone.open(t)
	b.visit(l.URL + "/manual/")
	b.until(`document.querySelector('#p1 img').complete && document.querySelector('#p1 img').currentSrc.includes('Zoom')`)
	b.until(`document.querySelector('#p2 img').naturalWidth > 0`)
	requests, size := b.firstView()
	t.Logf("%d requests, %d bytes", requests, size)
	require.LessOrEqual(t, requests, 8)
	require.LessOrEqual(t, size, int64(230_000))
	const large = `[...document.querySelectorAll('main img')].filter(img => img.complete && img.currentSrc.includes('Zoom')).map(img => img.closest('article').id)`
	require.Equal(t, []string{"p1"}, value[[]string](b, large))
	require.Equal(t, "Thumb", value[string](b, `new URL(document.querySelector('#p2 img').currentSrc).searchParams.get('ImageType')`))

	b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: 200, Y: 500}}), input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
	b.until(`document.querySelector('#p2 img').complete && document.querySelector('#p2 img').currentSrc.includes('Zoom')`)
	b.swipe(300, 40)
	b.place("Page 2 of 130")
	b.until(`document.querySelector('#p3 img').currentSrc.includes('Zoom')`)

	b = phone.open(t)
	b.visit(l.URL + "/manual/?Page=60")
	b.place("Page 60 of 130")
	b.until(`document.querySelector('#p60 img').complete && document.querySelector('#p60 img').currentSrc.includes('Zoom') && document.querySelector('#p61 img').naturalWidth > 0`)
	requests, size = b.firstView()
	t.Logf("a page in the middle: %d requests, %d bytes", requests, size)
	require.LessOrEqual(t, requests, 8)
	require.LessOrEqual(t, size, int64(230_000))
	require.Equal(t, []string{"p60"}, value[[]string](b, large), "only the visible page has a large picture")

	for _, path := range []string{"/manual/?Page=60", "/manual/?GoToFirstSearchResult=last60"} {
		b = desktop.open(t)
		b.visit(l.URL + path)
		b.place("Pages 60–61 of 130")
		b.until(`['#p60', '#p61'].every(p => { const img = document.querySelector(p + ' img'); return img.complete && !img.currentSrc.includes('Thumb') })`)
		b.firstView()
		first := value[string](b, `new URL(document.querySelector('#p1 img').src).searchParams.get('PageID')`)
		b.mu.Lock()
		for _, at := range b.requests {
			require.False(t, strings.Contains(at, "PageID="+first+"&") && !strings.Contains(at, "Thumb"), "%s: the first page's picture is loaded: %s", path, at)
		}
		b.mu.Unlock()
	}

	s := phone
	s.noScripts = true
	b = s.open(t)
	b.do(chromedp.Navigate(l.URL + "/manual/"))
	b.until(`document.querySelector('#p2 img').currentSrc.includes('Zoom')`) // there is no later request for it
}

// TestPicturesWaitForTheScripts checks that a browser that has the page but not yet its scripts loads the pictures of
// two pages, since the scripts know which are seen. Where they never come, the others do after a while.
func TestPicturesWaitForTheScripts(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(6))
	b := phone.open(t)
	b.block("*://*:*/reader/reader.*.js")
	b.do(chromedp.Navigate(l.URL + "/book/"))
	b.until(`document.querySelector('#p2 img').naturalWidth > 0`)
	require.Equal(t, []string{"none", "none", "away", "away", "away", "away"}, value[[]string](b, `[...document.querySelectorAll('main img')].map(img => getComputedStyle(img).animationName)`))
	b.until(`document.querySelector('#p3 img').naturalWidth > 0`)
	b.expected("")
}

// TestTheBrowsersOwnSearchHasTheText checks that the keys of the browser's search load the text, and so does
// a window that loses the focus, as it does to a search opened by menu. The test simulates that event.
func TestTheBrowsersOwnSearchHasTheText(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("manual", manual(130))
	b := desktop.open(t)
	for what, begin := range map[string]chromedp.Action{"F3": chromedp.KeyEvent(kb.F3), "Ctrl+F": chromedp.KeyEvent("f", chromedp.KeyModifiers(input.ModifierCtrl)), "menu": chromedp.Evaluate(`dispatchEvent(new Event('blur'))`, nil)} {
		b.visit(l.URL + "/manual/")
		require.NotContains(t, value[string](b, `document.querySelector('#p130 .words').textContent`), "last130", what)
		b.do(begin)
		b.until(`document.querySelector('#p130 .words').textContent.includes('last130')`)
	}
}

// TestTextThatDoesNotCome checks that the loaded text is searched, and that the reader learns that it is only a part.
func TestTextThatDoesNotCome(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("manual", manual(130))
	b := desktop.open(t)
	b.visit(l.URL + "/manual/")
	b.do(chromedp.Evaluate(`window.real = fetch; window.fetch = async () => new Response('', {status: 502})`, nil))
	b.seek("last130")
	b.until(`document.querySelector('#hits').textContent === 'No page has this text. Only the text that is shown here was searched.'`)
	b.do(chromedp.Evaluate(`window.fetch = window.real`, nil), chromedp.KeyEvent(kb.Escape))
	b.seek("last130")
	b.until(`document.querySelector('#hits').textContent === '1 hit.'`)
}
