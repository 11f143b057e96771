package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestHitsFollowEachOther checks that a search leads from hit to hit, also on the pages of a view, and ends.
func TestHitsFollowEachOther(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", chapters(12))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.seek("heading 1")
	b.until(`document.querySelectorAll('#search li').length === 4`) // 1, 10, 11 and 12
	b.click("#search li a")
	b.place("Page 1 of 12")
	hit := func(words string) {
		t.Helper()
		b.until(`document.querySelector('#found p').textContent === '` + words + `'`)
	}
	hit("Hit 1 of 4")
	require.True(t, value[bool](b, `document.querySelector('#found button').disabled`), "no hit is before the first")
	b.picture("hits")
	b.click("#found [data-step='1']")
	b.place("Pages 10–11 of 12")
	b.until(`document.querySelector('#p10 .mark') && document.querySelector('#p11 .mark')`)
	hit("Hit 2 of 4")
	const looked = `[...document.querySelectorAll('.mark.now')].map(m => m.closest('article').id).join()`
	b.until(looked + ` === 'p10'`)
	b.picture("hit")
	b.click("#found [data-step='1']")
	hit("Hit 3 of 4")
	b.until(looked + ` === 'p11'`)
	b.place("Pages 10–11 of 12")
	b.click("#found [data-step='1']")
	b.place("Page 12 of 12")
	hit("Hit 4 of 4")
	require.True(t, value[bool](b, `document.querySelector("#found [data-step='1']").disabled`))
	b.click("#previous")
	b.click("#previous")
	b.place("Pages 8–9 of 12")
	hit("4 hits.")
	b.click("#found [data-step='-1']")
	b.place("Page 1 of 12")
	b.click("#found [data-step='0']")
	b.until(`!document.querySelector('#found').checkVisibility() && !document.querySelector('.mark')`)
}

// TestSinglePagesAreAChoice checks that the reader chooses between spreads and single pages, whatever the publisher
// set, stays at the page, and finds the choice again.
func TestSinglePagesAreAChoice(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(8))
	l.set(l.paper("slides", booklet(8)), "pageLayout", "single")
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=4")
	b.place("Pages 4–5 of 8")
	require.Equal(t, "true", value[string](b, `document.querySelector('#pair').ariaPressed`))
	b.click("#pair")
	b.place("Page 4 of 8")
	require.Equal(t, "false", value[string](b, `document.querySelector('#pair').ariaPressed`))
	require.InDelta(t, 1440, value[float64](b, `document.querySelector('#p4').offsetWidth`), 1)
	b.until(`document.querySelector('#p4').getBoundingClientRect().left === 0`)
	b.picture("single")
	b.press(kb.ArrowRight)
	b.place("Page 5 of 8")
	b.visit(l.URL + "/book/?Page=6")
	b.place("Page 6 of 8")
	b.visit(l.URL + "/slides/?Page=5")
	b.place("Page 5 of 8")
	b.click("#pair")
	b.place("Pages 4–5 of 8")
	b.until(`(r => r[0].right === r[1].left)([...document.querySelectorAll('#p4 .sheet, #p5 .sheet')].map(e => e.getBoundingClientRect()))`)
	b.do(chromedp.Evaluate(`localStorage.clear()`, nil))
	b = phone.open(t)
	b.visit(l.URL + "/book/")
	require.False(t, value[bool](b, `document.querySelector('#pair').checkVisibility()`), "there is no room for two")
}

// TestReadingGoesOnWhereItEnded checks that a browser offers the page where it left off, but not if the address names
// one, after the last page, or in another paper.
func TestReadingGoesOnWhereItEnded(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(12))
	l.paper("other", booklet(12))
	b := desktop.open(t)
	offered := func() bool { return value[bool](b, `document.querySelector('#resume').checkVisibility()`) }
	b.visit(l.URL + "/book/")
	require.False(t, offered(), "nothing was read")
	b.do(chromedp.Focus("#number"), chromedp.Evaluate(`document.querySelector('#number').select()`, nil), chromedp.KeyEvent("7"+kb.Enter))
	b.place("Pages 6–7 of 12")
	b.visit(l.URL + "/book/?Page=2")
	require.False(t, offered(), "the address names a page")
	b.press(kb.ArrowRight)
	b.place("Pages 4–5 of 12")
	b.visit(l.URL + "/other/")
	require.False(t, offered(), "another paper")
	b.visit(l.URL + "/book/")
	b.place("Page 1 of 12")
	require.Equal(t, "Continue on page 4", value[string](b, `document.querySelector('#resume').textContent`))
	b.picture("resume")
	b.click("#resume")
	b.place("Pages 4–5 of 12")
	require.False(t, offered())
	b.press(kb.End)
	b.place("Page 12 of 12")
	b.visit(l.URL + "/book/")
	require.False(t, offered(), "it was read to its end")
}

// TestHitsAreCounted checks that hits are counted and listed, and not the pages that have them, and that the text view leads
// from one to the next within a page.
func TestHitsAreCounted(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(3))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?View=text")
	b.seek("booklet")
	b.until(`document.querySelector('#hits').textContent === '12 hits.' && document.querySelectorAll('#search li').length === 12`)
	b.click("#search li:nth-child(6) a")
	looked := func(hit string, page string, place int) {
		t.Helper()
		b.until(`document.querySelector('#found p').textContent === '` + hit + `'`)
		b.until(fmt.Sprintf(`(r => r.startContainer.parentElement.closest('article').id === %q && r.startContainer.textContent.slice(0, r.startOffset).split('booklet').length === %d && r.startContainer.textContent.slice(r.startOffset, r.endOffset) === 'booklet')([...CSS.highlights.get('now')][0])`, page, place))
	}
	looked("Hit 6 of 12", "p2", 2)
	b.click("#found [data-step='1']")
	looked("Hit 7 of 12", "p2", 3)
	b.click("#found [data-step='-1']")
	b.click("#found [data-step='-1']")
	b.click("#found [data-step='-1']")
	looked("Hit 4 of 12", "p1", 4)
}
