package reader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

// seek searches with the dialog.
func (b *tab) seek(phrase string) {
	b.Helper()
	b.click("#seek")
	b.until(`document.activeElement.id === 'phrase'`)
	b.do(chromedp.KeyEvent(phrase + kb.Enter))
}

// marked reports whether a mark lies in a part of a page's picture, in fractions.
func (b *tab) marked(number string, x, y, width, height float64) {
	b.Helper()
	b.until(`document.querySelector('#p` + number + ` .mark')`)
	got := value[[]float64](b, `(() => {
		const m = document.querySelector('#p`+number+` .mark'), svg = m.ownerSVGElement.viewBox.baseVal
		return ['x', 'y', 'width', 'height'].map((n, i) => m[n].baseVal.value / (i % 2 ? svg.height : svg.width))
	})()`)
	require.InDeltaSlice(b, []float64{x, y, width, height}, got, .02)
}

// TestSearchInThePage checks that hits have snippets and marks on the pictures.
func TestSearchInThePage(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", chapters(12))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.seek("PAGE   7")
	b.until(`document.querySelector('#hits').textContent === '1 hit.'`)
	require.Equal(t, "Page 7 Heading 7 Some words of page 7 that go on in another line.", strings.Join(strings.Fields(value[string](b, `document.querySelector('#search li a').textContent`)), " "))
	require.Equal(t, "page 7", value[string](b, `document.querySelector('#search mark').textContent`))
	b.picture("search")
	b.click("#search li a")
	b.place("Pages 6–7 of 12")
	line := value[[]float64](b, `fetch('Layer.ashx' + new URL(document.querySelector('#p7 img').src).search.replace(/&.*/, '')).then(r => r.json()).then(l => l[1].slice(0, 4))`)
	b.marked("7", line[0]+line[2]*.66, line[1], line[2]*.34, line[3])
	require.Equal(t, 1, value[int](b, `document.querySelectorAll('.mark').length`))
	b.picture("marked")

	b.seek("words of page 2 that")
	b.click("#search li a")
	b.place("Pages 2–3 of 12")
	b.until(`document.querySelectorAll('#p2 .mark').length === 2`) // the match spans two lines
	b.seek("nothing")
	b.until(`document.querySelector('#hits').textContent === 'No page has this text.' && !document.querySelector('#search li')`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`document.activeElement.id === 'seek'`)
	b.seek("heading 1")
	b.until(`document.querySelectorAll('#search li').length === 4`)
}

// TestAnAddressIsHighlighted checks that the vendor's parameter marks the phrase that it leads to.
func TestAnAddressIsHighlighted(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", chapters(12))
	b := phone.open(t)
	b.visit(l.URL + "/book/?GoToAndHighlightFirstSearchResult=words%20of%20page%205")
	b.place("Page 5 of 12")
	b.until(`document.querySelectorAll('#p5 .mark').length === 1`)
	b.picture("marked phone")
	b.visit(l.URL + "/book/?GoToFirstSearchResult=words%20of%20page%205")
	b.place("Page 5 of 12")
	require.Zero(t, value[int](b, `document.querySelectorAll('.mark').length`))
	b.visit(l.URL + "/book/?View=text&Highlight=words")
	b.until(`CSS.highlights.get('found')?.size === 12`)
}

// TestPapersWithoutALayer checks that papers from before text layers are searched, without
// marks.
func TestPapersWithoutALayer(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", chapters(4))
	l.write(func(tx store.Writer) error {
		var pages []store.Page
		if err := tx.Pages(paper, true, func(p store.Page) error { p.Layer = nil; pages = append(pages, p); return nil }); err != nil {
			return err
		}
		return tx.ReplacePages(paper, pages)
	})
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	require.False(t, value[bool](b, `!!document.querySelector('#chapters')`))
	b.seek("page 3")
	b.click("#search li a")
	b.place("Pages 2–3 of 4")
	b.until(`document.querySelector('#p3 .layer')`)
	require.Zero(t, value[int](b, `document.querySelectorAll('.mark').length`))
}

// TestALayerThatFailedIsAskedForAgain checks that coming back to the page requests a failed layer again.
func TestALayerThatFailedIsAskedForAgain(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", chapters(6))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.do(chromedp.Evaluate(`{ const real = fetch; window.fetch = async () => { window.fetch = real; window.refused = true; return new Response('', {status: 503}) } }`, nil))
	b.seek("words of page 4")
	b.click("#search li a")
	b.place("Pages 4–5 of 6")
	b.until(`window.refused`)
	b.key(kb.Home)
	b.place("Page 1 of 6")
	b.click("#next")
	b.place("Pages 2–3 of 6")
	b.click("#next")
	b.place("Pages 4–5 of 6")
	b.until(`document.querySelectorAll('#p4 .mark').length === 1`)
}

// TestManyHits checks that many hits in a text are marked, and that the next search replaces the marks.
func TestManyHits(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(1))
	const many = 130_000 // more than a function call can take as arguments
	l.write(func(tx store.Writer) error {
		return tx.ReplacePages(paper, []store.Page{{Number: 1, Text: strings.Repeat("e ", many) + "end"}})
	})
	b := desktop.open(t)
	b.visit(l.URL + "/book/?View=text&Highlight=e")
	b.until(fmt.Sprintf(`CSS.highlights.get('found')?.size === %d`, many+1))
	b.seek("end")
	b.until(`CSS.highlights.get('found').size === 1`)
}

// TestASearchTakesTheMarksOfTheOneBefore checks that a search removes the previous marks, and marks the visible pages.
func TestASearchTakesTheMarksOfTheOneBefore(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", chapters(4))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Highlight=heading")
	b.until(`document.querySelectorAll('#p1 .mark').length === 1`)
	const top = `document.querySelector('#p1 .mark')?.y.baseVal.value`
	heading := value[float64](b, top)
	b.seek("words of page")
	b.until(fmt.Sprintf("%s > %g", top, heading))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.seek("nothing")
	b.until(`!document.querySelector('.mark')`)
}

// TestSnippetsAreOfWords checks that what is shown around a hit begins and ends with whole words.
func TestSnippetsAreOfWords(t *testing.T) {
	browses(t)
	l := open(t)
	words := strings.Fields("workshops chose beautiful pottery harbour enamelled craftsmanship stoneware needle September everything lighthouse restored handmade candlestick glazes furniture")
	l.paper("book", pdftest.Text(strings.Join(words, "\n")))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	for _, word := range words {
		b.seek(word)
		b.until(fmt.Sprintf(`document.querySelector('#search mark')?.textContent === %q`, word))
		snippet := value[string](b, `document.querySelector('#search li span').textContent`)
		require.Subset(t, append(words, "…"), strings.Fields(snippet), snippet)
		b.press(kb.Escape)
	}
}
