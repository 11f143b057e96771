package reader_test

import (
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// again processes a paper's PDF again: its pages get new addresses.
func (l *library) again(paper int64) {
	l.Helper()
	guid, err := l.client.ReprocessPaper(l.Context(), paper, options)
	require.NoError(l, err)
	l.processed(guid)
}

// block makes requests to matching addresses fail.
func (b *tab) block(patterns ...string) {
	b.Helper()
	var all []*network.BlockPattern
	for _, p := range patterns {
		all = append(all, &network.BlockPattern{URLPattern: p, Block: true})
	}
	b.do(network.SetBlockedURLs().WithURLPatterns(all))
}

// TestAPaperThatIsProcessedWhileItIsRead checks that the page reloads and stays at the reader's position.
func TestAPaperThatIsProcessedWhileItIsRead(t *testing.T) {
	browses(t)
	for name, turn := range map[string]func(b *tab){
		"turned": func(b *tab) { b.do(chromedp.Evaluate(`location.hash = 'p60'`, nil)) },
		"overview": func(b *tab) {
			b.do(chromedp.Evaluate(`location.hash = 'p60'`, nil))
			b.click("#overview")
		},
	} {
		l := open(t) // a new address: of another reader's, the browser has kept the pictures of page 60, which then do not fail
		paper := l.paper("book", booklet(80))
		b := desktop.open(t)
		b.visit(l.URL + "/book/")
		b.firstView()
		b.do(chromedp.Evaluate(`window.old = true`, nil))
		l.again(paper)
		turn(b)
		b.until(`!window.old && document.documentElement.classList.contains('ready')`)
		b.place("Pages 60–61 of 80")
		b.until(`['#p60', '#p61'].every(p => document.querySelector(p + ' img').naturalWidth > 0)`)
		b.expected("404")
		t.Log(name)
	}
}

// TestAPictureThatFails checks that the page reloads only if its pictures have new addresses, once for each
// picture. Otherwise turning a page requests the picture again.
func TestAPictureThatFails(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(80))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.firstView()
	b.do(chromedp.Evaluate(`window.old = true`, nil))
	b.block("*://*:*/book/Image.ashx*")
	b.do(chromedp.Evaluate(`location.hash = 'p60'`, nil))
	b.until(`document.querySelector('#p60 img').dataset.again`) // again.js has decided
	b.block()
	b.click("#next")
	b.place("Pages 62–63 of 80")
	b.until(`document.querySelector('#p60 img').naturalWidth > 0`)
	require.True(t, value[bool](b, `window.old`))

	// No picture makes the page reload twice, whatever the new page contains.
	b.visit(l.URL + "/book/?Page=1")
	b.firstView()
	b.do(chromedp.Evaluate(`window.old = true
		for (const img of document.querySelectorAll('main img')) sessionStorage.setItem('again ' + new URL(img.src).searchParams.get('PageID'), 'yes')`, nil))
	l.again(paper)
	b.do(chromedp.Evaluate(`location.hash = 'p20'`, nil))
	b.until(`document.querySelector('#p20 img').dataset.again`)
	require.True(t, value[bool](b, `window.old`))
	b.expected("")
}

// TestAScriptThatCannotBeLoaded checks that the bar says so when the reader presses the script's button.
func TestAScriptThatCannotBeLoaded(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	for _, on := range []screen{desktop, phone} {
		b := on.open(t)
		b.block("*://*:*/reader/search.*", "*://*:*/reader/zoom.*", "*://*:*/reader/basket.*")
		b.visit(l.URL + "/shop/")
		for _, id := range []string{"cart", "seek", "larger"} {
			b.do(chromedp.Evaluate(`document.querySelector('#place').textContent = ''; document.querySelector('#`+id+`').click()`, nil))
			b.place("Not working now. Reload the page.")
		}
		b.picture("script blocked")
		require.LessOrEqual(t, value[int](b, `Math.max(0, document.querySelector('#place').getBoundingClientRect().right - innerWidth)`), 0)
		b.expected("") // the browser reports what is blocked
	}
}

// TestLinksAreSeenWithoutAMouse checks that links are visible on a phone, which has no pointer to hover over them, but quiet: a
// page with many is no form.
func TestLinksAreSeenWithoutAMouse(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	l.links(l.paper("book", booklet(2)), store.Link{Page: 1, X: .1, Y: .1, Width: .5, Height: .2, LinkType: "page", URL: "#p2", AltText: "two"})
	const seen = `(s => s.fillOpacity > 0 && s.fillOpacity < .1 && s.stroke === 'none')(getComputedStyle(document.querySelector('a[aria-label=two] rect')))`
	const badge = `document.querySelector('a[aria-label=Rake] use').getBoundingClientRect().width > 15`
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	require.False(t, value[bool](b, seen))
	b.visit(l.URL + "/shop/")
	require.True(t, value[bool](b, badge), "a product has a badge")
	b = phone.open(t)
	b.visit(l.URL + "/shop/")
	b.picture("links on a phone")
	require.True(t, value[bool](b, badge), "a product has a badge")
	b.visit(l.URL + "/book/")
	require.True(t, value[bool](b, seen))
}
