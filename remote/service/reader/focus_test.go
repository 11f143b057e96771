package reader_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// TestTheFocusIsVisible checks that Tab reaches nothing that is not visible, with and without scripts.
func TestTheFocusIsVisible(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	quiet := desktop
	quiet.noScripts = true
	for name, on := range map[string]screen{"scripts": desktop, "no scripts": quiet} {
		b := on.open(t)
		b.do(chromedp.Navigate(l.URL + "/shop/"))
		b.until(`document.readyState === 'complete'`)
		const place = `(e => {
			if (e === document.body) return 'body'
			const r = e.getBoundingClientRect()
			return (e.id || e.getAttribute('aria-label') || e.name || e.textContent) + (r.width >= 5 && r.height >= 5 && e.checkVisibility() && !e.closest('.words') ? '' : ' hidden')
		})(document.activeElement)`
		var places []string
		for range 30 {
			b.do(chromedp.KeyEvent(kb.Tab))
			places = append(places, value[string](b, place))
		}
		for _, at := range places {
			require.NotContains(t, at, "hidden", "%s: %q", name, places)
		}
		require.Contains(t, places, "Rake", name)
	}
}

// TestTabGoesOnAtThePageThatIsShown checks that, after paging by keys, Tab goes to the next link from the shown
// page on, and not back to the first link of the paper.
func TestTabGoesOnAtThePageThatIsShown(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(20))
	link := func(page int, name string) store.Link {
		return store.Link{Page: page, X: .1, Y: .1, Width: .5, Height: .2, LinkType: "url", URL: "https://example.org/", AltText: name}
	}
	l.links(paper, link(3, "three"), link(9, "nine"), link(15, "fifteen"))
	for _, on := range []screen{desktop, phone} {
		b := on.open(t)
		for _, at := range [][2]string{{"", "three"}, {"?Page=8", "nine"}, {"?Page=9", "nine"}, {"?Page=12", "fifteen"}} {
			b.visit(l.URL + "/book/" + at[0])
			b.key(kb.Tab)
			b.until(`document.activeElement.getAttribute('aria-label') === '` + at[1] + `'`)
		}
		b.place(map[int64]string{desktop.width: "Pages 14–15 of 20", phone.width: "Page 15 of 20"}[on.width])
		b.key(kb.PageUp + kb.Tab)
		b.until(`document.activeElement.getAttribute('aria-label') === 'fifteen'`)
		b.visit(l.URL + "/book/?Page=18")
		b.key(kb.Tab)
		b.until(`!document.querySelector('main').contains(document.activeElement)`)
		require.Zero(t, value[int](b, `document.querySelectorAll('article[tabindex]').length`))
	}
}
