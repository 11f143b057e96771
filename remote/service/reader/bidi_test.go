package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// asSeen returns the text of an element as displayed: line by line, each from left to right,
// without spaces.
const asSeen = `(() => {
	const element = document.querySelector(%q), letters = [], walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
	for (let node; node = walk.nextNode();) for (let i = 0; i < node.length; i++) {
		const range = document.createRange()
		range.setStart(node, i)
		range.setEnd(node, i + 1)
		const box = range.getBoundingClientRect()
		if (box.width && node.data[i].trim()) letters.push({line: Math.round(box.bottom), left: box.left, letter: node.data[i]})
	}
	return letters.sort((a, b) => Math.abs(a.line - b.line) > 4 ? a.line - b.line : a.left - b.left).map(l => l.letter).join('')
})()`

// read checks how an element's text is displayed.
func (b *tab) read(selector, want string) {
	b.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)?.checkVisibility()", selector))
	require.Equal(b, want, value[string](b, fmt.Sprintf(asSeen, selector)), selector)
}

// Hebrew runs from right to left, so its punctuation is on the left.
const (
	hebrew     = "אב 12 (ג)!"
	hebrewSeen = "!)ג(12בא"
)

// hebrewShop makes a paper with a product. All texts are Hebrew.
func (l *library) hebrewShop() {
	l.Helper()
	id, err := l.client.CreatePaper(l.Context(), l.top(), hebrew, "shop")
	require.NoError(l, err)
	l.write(func(tx store.Writer) error {
		return tx.ReplacePages(id, []store.Page{{Number: 1, Text: hebrew + "\nabc", Titles: hebrew}})
	})
	l.links(id, store.Link{Page: 1, Width: 1, Height: 1, LinkType: "shopitem", Param: "<item><id>77</id><name>" + hebrew + "</name><descr>" + hebrew + "</descr><price>29.25</price></item>"})
	l.set(id, "checkout", "CheckoutByPrint")
}

// TestTextsOfBothDirections checks that a title, name or text in Hebrew runs from right to left, with
// its punctuation, and does not reorder the text around it.
func TestTextsOfBothDirections(t *testing.T) {
	browses(t)
	l := open(t)
	l.hebrewShop()
	category, err := l.client.CreateCategory(l.Context(), l.top(), hebrew, "category")
	require.NoError(t, err)
	inside, err := l.client.CreatePaper(l.Context(), remote.Node{ID: category, URL: "/category/"}, "inside", "inside")
	require.NoError(t, err)
	l.write(func(tx store.Writer) error { return tx.ReplacePages(inside, []store.Page{{Number: 1}}) })
	b := desktop.open(t)

	b.shelf(l.URL + "/")
	b.read(`a[href="shop/"]`, hebrewSeen)
	b.read(`a[href="category/"]`, hebrewSeen+"Category")
	b.shelf(l.URL + "/category/")
	b.read("h1", hebrewSeen)

	b.visit(l.URL + "/shop/")
	b.read("h1", hebrewSeen)
	b.read("#p1 .said p", hebrewSeen+"abc")
	b.read("#p1 h4", hebrewSeen)
	b.read("#p1 h4 ~ p:nth-of-type(2)", hebrewSeen)
	b.click("#chapters")
	b.read("#contents li a", hebrewSeen+"1")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.seek("ג")
	b.read("#search li a", "Page1"+"abc"+hebrewSeen)
	require.Equal(t, "rtl", value[string](b, `getComputedStyle(document.querySelector('#phrase')).direction`))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.click("#p1 .item button")
	b.read("#basket li b", hebrewSeen)
	b.read("#told", "Inthebasket:"+hebrewSeen)
	b.picture("hebrew")
	b.visit(l.URL + "/shop/?View=text")
	b.read("#p1 .said p", hebrewSeen+"abc")

	s := desktop
	s.noScripts = true
	b = s.open(t)
	b.do(chromedp.Navigate(l.URL + "/shop/"))
	b.click("#p1 .item button")
	b.read(".receipt li", "1×"+hebrewSeen+"(77):29.25") // check this first: the previous page has a heading, too
	b.read("h1", hebrewSeen)
}
