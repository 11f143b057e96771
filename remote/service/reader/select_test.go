package reader_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

// lines returns the position of a page's line in the window: left, right, and its vertical middle.
func (b *tab) lines(page string, line int) (left, right, middle float64) {
	b.Helper()
	at := value[[]float64](b, fmt.Sprintf(`(async () => {
		const img = document.querySelector('#p%[1]s img'), svg = document.querySelector('#p%[1]s svg'), m = svg.getScreenCTM()
		const [x, y, w, h] = (await (await fetch('Layer.ashx' + new URL(img.src).search.replace(/&.*/, ''))).json())[%[2]d]
		const wide = svg.viewBox.baseVal.width, high = svg.viewBox.baseVal.height
		return [m.e + m.a * x * wide, m.e + m.a * (x + w) * wide, m.f + m.d * (y + h / 2) * high]
	})()`, page, line))
	return at[0], at[1], at[2]
}

// drag moves the mouse with its button pressed.
func (b *tab) drag(fromX, fromY, toX, toY float64) {
	b.Helper()
	mouse := func(kind input.MouseType, x, y float64) chromedp.Action {
		return input.DispatchMouseEvent(kind, x, y).WithButton(input.Left).WithButtons(1).WithClickCount(1)
	}
	b.do(mouse(input.MousePressed, fromX, fromY), mouse(input.MouseMoved, (fromX+toX)/2, (fromY+toY)/2), mouse(input.MouseMoved, toX, toY))
	b.until(`getSelection().toString()`)
	b.do(mouse(input.MouseMoved, toX-1, toY), mouse(input.MouseMoved, toX, toY))
}

func (b *tab) release(x, y float64) {
	b.do(input.DispatchMouseEvent(input.MouseReleased, x, y).WithButton(input.Left).WithClickCount(1))
}

// copied waits until copying the selection yields this text.
func (b *tab) copied(want string) {
	b.Helper()
	b.until(fmt.Sprintf(`(() => {
		const data = new DataTransfer()
		const event = new ClipboardEvent('copy', {clipboardData: data, cancelable: true, bubbles: true})
		getSelection().anchorNode?.parentElement.dispatchEvent(event)
		return data.getData('text/plain') === %q
	})()`, want))
}

// TestTextIsSelectedOnThePicture selects with the mouse, in reading order. Links over the text work,
// and no script loads before the selection begins.
func TestTextIsSelectedOnThePicture(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: "Cover"}, {Text: "The first line iiii WWWW\nand the second\nand the third"}, {Text: "Opposite\nlast"}}))
	l.links(paper, store.Link{Page: 2, X: .02, Y: .03, Width: .05, Height: .03, LinkType: "page", URL: "#p1", AltText: "cover"})
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=2")
	b.place("Pages 2–3 of 3")
	b.mu.Lock()
	for _, at := range b.requests {
		require.False(t, strings.Contains(at, "Layer.ashx") || strings.Contains(at, "select."), at)
	}
	b.mu.Unlock()
	left, right, first := b.lines("2", 0)
	_, secondRight, second := b.lines("2", 1)
	b.drag(left+(right-left)*.5, first, secondRight+40, second)
	b.picture("selected")
	b.release(secondRight+40, second)
	all := value[string](b, `getSelection().toString()`)
	require.NotContains(t, all, "Opposite")
	b.until(`document.documentElement.classList.contains('selecting')`)
	b.copied(value[string](b, `(() => { const r = getSelection().getRangeAt(0); return [...r.cloneContents().querySelectorAll('text')].map(t => t.textContent).join('\n') })()`))
	require.Regexp(t, `iiii WWWW\nand the second$`, value[string](b, `[...getSelection().getRangeAt(0).cloneContents().querySelectorAll('text')].map(t => t.textContent).join('\n')`))

	// Backwards, and to the neighbouring page.
	oLeft, oRight, opposite := b.lines("3", 0)
	_, _, third := b.lines("2", 2)
	thirdLeft, _, _ := b.lines("2", 2)
	b.drag(thirdLeft-10, third, oRight+30, opposite)
	b.release(oRight+30, opposite)
	b.copied("and the third\nOpposite")
	b.drag(oRight+30, opposite, oLeft-5, opposite)
	b.release(oLeft-5, opposite)
	b.copied("Opposite")
	b.do(chromedp.MouseClickXY(oRight+200, opposite+200))
	b.until(`getSelection().isCollapsed && !document.documentElement.classList.contains('selecting')`)
	require.Equal(t, "pages", value[string](b, `document.activeElement.id`), "the pages have the focus, so the keys work")
	require.False(t, value[bool](b, `document.activeElement.matches(':focus-visible')`))
	b.click("a[aria-label=cover] rect")
	b.place("Page 1 of 3")
}

// TestAQuickDragIsSelected releases the button before the script is loaded. Later movements without
// the button select nothing more.
func TestAQuickDragIsSelected(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: "The first line\nand the second\nand the third"}}))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	left, right, first := b.lines("1", 0)
	_, end, second := b.lines("1", 1)
	b.do(chromedp.Evaluate(fmt.Sprintf(`
		window.mouse = (kind, clientX, clientY, buttons) => document.querySelector('#p1').dispatchEvent(new MouseEvent(kind, {bubbles: true, clientX, clientY, buttons}))
		window.mouse('mousedown', %g, %g, 1); window.mouse('mousemove', %g, %g, 1); window.mouse('mousemove', %g, %g, 1); window.mouse('mouseup', %g, %g, 0)`,
		left-10, first, right, first, end+30, second-2, end+30, second), nil))
	b.copied("The first line\nand the second")
	_, end, third := b.lines("1", 2)
	b.do(chromedp.Evaluate(fmt.Sprintf(`window.mouse('mousemove', %g, %g, 0); new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, end+30, third), nil, awaited))
	b.copied("The first line\nand the second")

	// The page gets no event for a button that is released elsewhere.
	b.do(chromedp.Evaluate(fmt.Sprintf(`window.mouse('mousedown', %g, %g, 1); window.mouse('mousemove', %g, %g, 1)`, left-10, first, right+30, first), nil))
	b.copied("The first line")
	b.do(chromedp.Evaluate(fmt.Sprintf(`window.mouse('mousemove', %g, %g, 0); new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, end+30, third), nil, awaited))
	b.copied("The first line")
}

// TestWordsOfTheTextView checks that a double click in the text view selects a word: it zooms only pictures.
func TestWordsOfTheTextView(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(3))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?View=text")
	b.do(chromedp.Evaluate(`document.querySelector('#p2 .words p').dispatchEvent(new MouseEvent('dblclick', {bubbles: true})); fetch(location.href).then(r => r.text())`, nil, awaited))
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, at := range b.requests {
		require.NotContains(t, at, "/zoom.")
	}
}

// TestTextIsSelectedWhereItIsEnlarged checks that, zoomed in, the mouse selects text and drags the page elsewhere.
func TestTextIsSelectedWhereItIsEnlarged(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: "A line to be selected here"}}))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.click("#larger")
	b.until(`document.querySelector('#p1 .layer text')`)
	b.do(chromedp.Evaluate(`document.querySelector('main').scrollTop = 0`, nil))
	left, right, line := b.lines("1", 0)
	b.drag(left+1, line, right+20, line)
	b.release(right+20, line)
	b.copied("A line to be selected here")
	before := value[float64](b, `document.querySelector('main').scrollTop`)
	mouse := func(kind input.MouseType, x, y float64) chromedp.Action {
		return input.DispatchMouseEvent(kind, x, y).WithButton(input.Left).WithButtons(1).WithClickCount(1)
	}
	b.do(mouse(input.MousePressed, 700, 700), mouse(input.MouseMoved, 700, 600), mouse(input.MouseMoved, 700, 500))
	b.until(fmt.Sprintf(`document.querySelector('main').scrollTop !== %g`, before))
	b.release(700, 500)
}

// TestMarkingReadsEachLineOnce checks that marking reads each line once, not once per match.
func TestMarkingReadsEachLineOnce(t *testing.T) {
	browses(t)
	const lines = 30
	l := open(t)
	l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: strings.Repeat("hit miss hit\n", lines)}}))
	b := desktop.open(t)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`
			const real = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
			window.reads = 0
			Object.defineProperty(Node.prototype, 'textContent', {...real, get() { if (this instanceof SVGTextElement) window.reads++; return real.get.call(this) }})`).Do(ctx)
		return err
	}))
	b.visit(l.URL + "/book/?Highlight=hit")
	b.until(fmt.Sprintf(`document.querySelectorAll('.mark').length === %d`, 2*lines))
	require.Equal(t, lines, value[int](b, `window.reads`))
	require.True(t, value[bool](b, `[...document.querySelectorAll('.mark')].every((m, i, all) => !i || m.y.baseVal.value > all[i - 1].y.baseVal.value || i % 2)`), "each line has two marks")
}

// TestMarksLieOnTheirLetters checks the marks' positions, also after letters of other widths.
func TestMarksLieOnTheirLetters(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: "iiiiiiiiiiiiiiiiiiii WWWWWWWWWWWWWWW hit iiiiiiiii"}}))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Highlight=hit")
	b.until(`document.querySelector('.mark')`)
	b.picture("mark on its letters")
	off := value[[]float64](b, `(async () => {
		const m = document.querySelector('.mark'), wide = m.ownerSVGElement.viewBox.baseVal.width
		const [, , , , , words] = (await (await fetch('Layer.ashx' + new URL(document.querySelector('#p1 img').src).search.replace(/&.*/, ''))).json())[0]
		return [m.x.baseVal.value - words[4] * wide, m.x.baseVal.value + m.width.baseVal.value - words[5] * wide]
	})()`)
	require.InDeltaSlice(t, []float64{0, 0}, off, 1, "pixels")
}
